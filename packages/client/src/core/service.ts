import { ChancelaError, type Problem, type Refusal } from './errors.ts'
import { isRepeatable, type Operation } from './operation.ts'

/** Which calls are retried: all, or those without further effect the second time. */
type Repeated = 'every call' | 'harmless calls'

/** What differs from service to service; its operations are a generated table. */
export interface Service<Name extends string = string> {
  readonly operations: Readonly<Record<Name, Operation>>
  readonly headers: { readonly apiKey: string; readonly correlationId: string }
  /** The error in an answer; undefined if it does not have the service's form. */
  refusalIn(answer: { readonly status: number; readonly text: string }): Refusal | undefined
  /** Codes after which the contract lets the same call be made again. */
  readonly retryable: ReadonlySet<string>
  /** Codes after which the client retries by itself. */
  readonly repeated: ReadonlyMap<string, Repeated>
}

/** Whether the client retries by itself. A timeout is not retried. */
export function isRepeated({ repeated }: Service, operation: Operation, problem: Problem): boolean {
  if (!(problem instanceof ChancelaError)) return isRepeatable(operation) && problem.reason !== 'timed-out'
  const which = repeated.get(problem.code)
  return which === 'every call' || (which === 'harmless calls' && isRepeatable(operation))
}
