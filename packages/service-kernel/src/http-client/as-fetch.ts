import type { HttpClient } from './http-client.ts'
import { HttpProblem } from './http-problem.ts'
import type { HttpRequest } from './http-request.ts'
import type { HttpAnswer, HttpHeaders } from './pending-answer.ts'

/** What a library passes to a custom fetch. */
interface FetchInit {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | URLSearchParams | Uint8Array | ArrayBuffer | null | undefined
  readonly signal?: AbortSignal | undefined
}

/** The client as a fetch, for libraries that take one: it fails as fetch does, and follows no redirect. */
export function asFetch(client: HttpClient): (url: string, init?: FetchInit) => Promise<Response> {
  return async (url, { method = 'GET', headers = {}, body, signal } = {}) => {
    try {
      const sent = { method: method as HttpRequest['method'], url, headers, body: bytesOf(body), signal }
      return responseOf(await client.exchange(sent))
    } catch (error) {
      throw error instanceof HttpProblem ? fetchError(error, signal) : error
    }
  }
}

function bytesOf(body: FetchInit['body']): string | Uint8Array | undefined {
  if (body instanceof URLSearchParams) return body.toString()
  return body instanceof ArrayBuffer ? new Uint8Array(body) : (body ?? undefined)
}

/** Statuses whose responses have no body, not even an empty one. */
const BODILESS: ReadonlySet<number> = new Set([101, 204, 205, 304])

const responseOf = ({ status, headers, body }: HttpAnswer): Response =>
  new Response(BODILESS.has(status) ? null : new Uint8Array(body), { status, headers: listed(headers) })

const listed = (headers: HttpHeaders): [string, string][] =>
  Object.entries(headers).flatMap(([name, value = []]) => [value].flat().map((one): [string, string] => [name, one]))

function fetchError(problem: HttpProblem, signal: AbortSignal | undefined): unknown {
  if (problem.kind === 'aborted') return signal?.reason
  if (problem.kind === 'deadline') return new DOMException(problem.message, 'TimeoutError')
  return new TypeError('fetch failed', { cause: problem })
}
