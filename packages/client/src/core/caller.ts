import { isProblem } from './errors.ts'
import { type Answered, exchanged } from './exchange.ts'
import { type AllTypes, bodyOf, headersOf, type InputOf, urlOf } from './operation.ts'
import { type CallOptions, type ClientOptions, DEFAULT_TIMEOUT_MS, usableBase, usableKey } from './options.ts'
import { repeated } from './retry.ts'
import { isRepeated, type Service } from './service.ts'

/** Calls any operation of a service by its name. */
type Caller<Types extends AllTypes<Types>> = <Name extends keyof Types & string>(
  name: Name,
  input: InputOf<Types[Name]>,
  how?: CallOptions,
) => Promise<Answered<Types[Name]['answer']>>

export function createCaller<Types extends AllTypes<Types>>(
  service: Service<keyof Types & string>,
  { baseUrl, apiKey, fetch = globalThis.fetch, timeoutMs = DEFAULT_TIMEOUT_MS, signal, retry = {} }: ClientOptions,
): Caller<Types> {
  const base = usableBase(baseUrl)
  const key = { [service.headers.apiKey]: usableKey(apiKey) }

  return async (name, input, how = {}) => {
    const operation = service.operations[name]
    const signals = [signal, how.signal].filter((each) => each !== undefined)
    const { headers, ...body } = bodyOf(operation, input)
    const all = { ...headers, ...headersOf(operation, input), ...key }
    const init: RequestInit = { ...common, ...body, method: operation.method, headers: all }
    const url = urlOf(base, operation, input)
    const exchange = { name, operation, url, init, signals, timeoutMs: how.timeoutMs ?? timeoutMs }
    const answered = await repeated(
      retry,
      (error) => isProblem(error) && isRepeated(service, operation, error),
      signals,
      () => exchanged(service, fetch, exchange),
    )
    return answered as Answered<never>
  }
}

const common: RequestInit = {
  // A redirect would send the key and a PIN to an address the caller did not configure.
  redirect: 'error',
  credentials: 'omit',
  cache: 'no-store',
}
