import type { Flaw } from './faults.ts'
import type { Operation } from './operations.ts'

/** The request to a route. */
export interface Question {
  /** The path, without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The media type of the body, without parameters. */
  readonly mediaType: string | undefined
  /** JSON, or the fields of a form; for a GET the query; empty where the body is neither. */
  readonly body: Readonly<Record<string, unknown>>
  /** The matched groups of the path. */
  readonly parts: readonly (string | undefined)[]
  /** The flaw to put into the response, if a fault asks for one. */
  readonly flaw: Flaw | undefined
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: RegExp
  /** Name for counting calls and for faults; pages have none. */
  readonly operation?: Operation
  readonly answer: (question: Question) => Answer | Promise<Answer>
}

export const json = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(value),
})

export const text = (status: number, sentence: string): Answer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: sentence,
})

export const redirect = (location: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status: 302,
  headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', ...headers },
  body: '',
})

/** A non-empty text field of a body. */
export function textOf(body: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = body[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The token of an Authorization header. */
export const bearerOf = ({ headers }: Question): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]

/** Adds parameters to the query of an address; existing ones stay. */
export function withQuery(address: string, more: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(more)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}
