import { rememberCredentials } from './told-by-log.ts'

/** A parsed response. */
export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
  readonly body: any
  readonly text: string
  readonly headers: Headers
}

/** Calls to one base URL. */
export interface Caller {
  /** With the caller's headers unless overridden; redirects are not followed. */
  call(method: string, path: string, init?: RequestInit): Promise<Response>
  /** Sends JSON and reads the answer. */
  json(method: string, path: string, body?: unknown, headers?: object): Promise<Answer>
}

/** A caller that sends the same headers each time, such as a key. */
export function callerOf(baseUrl: string, own: Readonly<Record<string, string>> = {}): Caller {
  const call: Caller['call'] = (method, path, init = {}) => {
    const headers = { ...own, ...plain(init.headers) }
    rememberCredentials(headers)
    return fetch(new URL(path, baseUrl), { method, redirect: 'manual', ...init, headers })
  }
  const json: Caller['json'] = async (method, path, body, headers = {}) =>
    readAnswer(await call(method, path, sending(body, headers)))
  return { call, json }
}

const plain = (headers: RequestInit['headers']) => headers as Record<string, string> | undefined

const sending = (body: unknown, headers: object): RequestInit =>
  body === undefined
    ? { headers: headers as Record<string, string> }
    : { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } }

/** Its body as JSON by content type, else as text. */
export async function readAnswer(answer: Response): Promise<Answer> {
  const text = await answer.text()
  // Lines of JSON are no JSON.
  const isJson = text !== '' && /\bjson\b/.test(answer.headers.get('content-type') ?? '')
  return { status: answer.status, body: isJson ? JSON.parse(text) : text || undefined, text, headers: answer.headers }
}
