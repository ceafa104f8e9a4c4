import {
  type HttpExchange,
  type HttpRequest,
  type HttpResponse,
  refuseHttp,
} from '@chancela/signature-engine/judgement'
import { SECOND } from '../clock/index.ts'
import {
  addressPolicy,
  createHttpClient,
  type HttpAnswer,
  HttpProblem,
  type HttpProblemKind,
} from '../http-client/index.ts'

const CONNECT_TIMEOUT = 10 * SECOND
/** Default; the engine's requests all set their own. */
const DEADLINE = 30 * SECOND
const ANSWER_BYTES = 1_048_576
/** Real distribution points need a redirect, for a moved host or for https. */
const MAX_REDIRECTS = 3
/** A batch calls the same authority repeatedly. */
const CONNECTIONS_PER_SERVER = 16

/** Certificates contain addresses, and anybody can make one: the instance's own network must stay unreachable. */
export function guardedExchange(allowedHosts: readonly string[]): HttpExchange {
  const client = createHttpClient({
    policy: addressPolicy({ allowed: allowedHosts, allowHttp: true }),
    connectTimeoutMs: CONNECT_TIMEOUT,
    deadlineMs: DEADLINE,
    maxAnswerBytes: ANSWER_BYTES,
    connections: CONNECTIONS_PER_SERVER,
    redirects: MAX_REDIRECTS,
  })
  return async (request) => {
    const { maxBytes: maxAnswerBytes, timeoutMs: deadlineMs, ...asked } = request
    try {
      return responseOf(await client.exchange({ ...asked, maxAnswerBytes, deadlineMs }))
    } catch (error) {
      throw error instanceof HttpProblem ? refusals[error.kind](request, error) : error
    }
  }
}

/** Of a repeated header the first value. */
const responseOf = ({ headers, ...answer }: HttpAnswer): HttpResponse => ({
  ...answer,
  headers: Object.fromEntries(
    Object.entries(headers).flatMap(([name, value = []]) =>
      [value]
        .flat()
        .slice(0, 1)
        .map((first) => [name, first]),
    ),
  ),
})

type Refusal = (request: HttpRequest, problem: HttpProblem) => ReturnType<typeof refuseHttp>

const reasonOf = ({ code, message }: HttpProblem): string => code ?? message

const broken: Refusal = ({ url }, problem) => refuseHttp('http.broken', { url, reason: reasonOf(problem) }, problem)

/** In the engine's terms. */
const refusals: Readonly<Record<HttpProblemKind, Refusal>> = {
  'address-refused': ({ url }, problem) => refuseHttp('http.bad-address', { url }, problem),
  unreachable: ({ url }, problem) => refuseHttp('http.unreachable', { url, reason: reasonOf(problem) }, problem),
  proxy: ({ url }, problem) => refuseHttp('http.unreachable', { url, reason: reasonOf(problem) }, problem),
  untrusted: ({ url }, problem) => refuseHttp('http.tls', { url, reason: reasonOf(problem) }, problem),
  deadline: ({ url, timeoutMs }, problem) => refuseHttp('http.timeout', { url, timeoutMs }, problem),
  aborted: ({ url }, problem) => refuseHttp('http.canceled', { url }, problem),
  lost: broken,
  'broken-answer': broken,
  'too-large': ({ url, maxBytes }) => refuseHttp('http.too-large', { url, maxBytes }),
  'too-many-redirects': ({ url }) => refuseHttp('http.too-many-redirects', { url, limit: MAX_REDIRECTS }),
}
