import { readUrl } from '../addresses/index.ts'
import { HttpProblem } from './http-problem.ts'
import type { HttpRequest } from './http-request.ts'
import type { HttpAnswer } from './pending-answer.ts'

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** Headers that belong to one server only. */
const credentials: ReadonlySet<string> = new Set(['authorization', 'cookie', 'x-api-key'])

/** Whether an answer sends its reader elsewhere. */
export const isRedirect = ({ status }: Pick<HttpAnswer, 'status'>): boolean => redirects.has(status)

/** The next request of a redirect; undefined for a final response. */
export function redirectedRequest(request: HttpRequest, from: URL, answer: HttpAnswer): HttpRequest | undefined {
  const location = locationOf(request, answer)
  if (location === undefined) return undefined
  const url = readUrl(location, from)
  if (!url) throw new HttpProblem('broken-answer', { wasSent: true, status: answer.status })
  if (from.protocol === 'https:' && url.protocol !== 'https:')
    throw new HttpProblem('address-refused', { wasSent: true, sentence: 'A redirect must not lead away from https.' })
  return url.origin === from.origin ? { ...request, url } : { ...request, url, headers: withoutCredentials(request) }
}

/** A body is sent again only where RFC 9110 §15.4 keeps the method (307, 308). */
function locationOf({ method }: HttpRequest, answer: HttpAnswer): string | undefined {
  const isReading = method === 'GET' || method === 'HEAD'
  if (!isRedirect(answer) || (!isReading && answer.status < 307)) return undefined
  return [answer.headers.location].flat()[0]
}

const withoutCredentials = ({ headers = {} }: HttpRequest): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !credentials.has(name.toLowerCase())))
