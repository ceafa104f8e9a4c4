// What a provider means by an answer that is not 2xx. The norm takes RFC 6749's codes; providers write them in many
// shapes (cloud-hub facts 1.7).
import { ProviderProblem, type ProviderProblemKind } from './provider-problem.ts'

/** What a call shows the provider: an access token, a code with the hub's credentials, these alone, or nothing. */
export type Shown = 'token' | 'code' | 'client' | 'nothing'

type Body = Readonly<Record<string, unknown>>

/** Where the code stands, in the order in which they are tried. */
const codeShapes: readonly ((body: Body) => unknown)[] = [
  // RFC 6749 §5.2: `{ error, error_description }`.
  ({ error }) => error,
  // A number of six digits inside: `{ error: { code, message } }`.
  ({ error }) => record(error)?.code,
  // `{ detail: { code, status, message } }`: the status is the telling one.
  ({ detail }) => record(detail)?.status ?? record(detail)?.code,
  // API problem: `{ type, title, status, detail }`.
  ({ title }) => title,
  // `{ code, message }`.
  ({ code }) => code,
]

/** Where words for people stand. They are looked through and never kept: nobody knows what they repeat. */
const texts = ['error_description', 'message', 'Message', 'detail', 'title', 'error'] as const

/** Codes that mean the same whatever the status; those of `shown` come first. */
const meanings: Readonly<Record<string, ProviderProblemKind>> = {
  invalid_client: 'misconfigured',
  unauthorized_client: 'misconfigured',
  invalid_credentials: 'misconfigured',
  '1056': 'misconfigured',
  '400101': 'misconfigured',
  invalid_grant: 'code-refused',
  '403201': 'code-refused',
  invalid_token: 'token-refused',
  expired_token: 'token-refused',
  invalid_access_token: 'token-refused',
  '404000': 'token-refused',
  no_certificate_found: 'alias-unknown',
}

/** Statuses of single signatures inside an answer with 200, as one broker writes them; 140 is the good one. */
const itemMeanings: Readonly<Record<number, ProviderProblemKind>> = {
  212: 'refused',
  218: 'refused',
  249: 'token-refused',
  250: 'token-refused',
  301: 'timeout',
  400: 'refused',
  620: 'alias-unknown',
}

const ITEM_DONE = 140

/** What an answer that is not 2xx means. */
export function problemOfAnswer(status: number, body: unknown, shown: Shown): ProviderProblem {
  const code = codeOf(body)
  return new ProviderProblem(kindOf(status, code, body, shown), { status, ...(code !== undefined && { code }) })
}

/** What a single signature's own status means; nothing when it is the good one or there is none. */
export function problemOfItem(status: unknown): ProviderProblem | undefined {
  if (typeof status !== 'number' || status === ITEM_DONE) return undefined
  return new ProviderProblem(itemMeanings[status] ?? 'refused', { code: String(status) })
}

function kindOf(status: number, code: string | undefined, body: unknown, shown: Shown): ProviderProblemKind {
  // Neither a redirect nor a failure is an answer of the protocol.
  if (status < 400 || status >= 500) return 'garbage'
  // Too early, too often: it says itself that it did nothing.
  if (status === 408 || status === 429) return 'unavailable'
  const meant = meanings[code?.toLowerCase() ?? '']
  if (meant !== undefined) return fitting(meant, shown)
  if (status === 401) return shown === 'token' ? 'token-refused' : 'misconfigured'
  return shown === 'token' ? kindByWords(body) : 'refused'
}

/** A meaning that cannot be about what was shown is about what was. */
function fitting(meant: ProviderProblemKind, shown: Shown): ProviderProblemKind {
  if (shown === 'token' && (meant === 'code-refused' || meant === 'misconfigured')) return 'token-refused'
  if (shown !== 'token' && meant === 'token-refused') return shown === 'code' ? 'code-refused' : 'misconfigured'
  if (shown === 'client' && meant === 'code-refused') return 'misconfigured'
  return meant
}

/** What words for people name, where no code tells more. */
const namedInWords: readonly (readonly [words: RegExp, kind: ProviderProblemKind])[] = [
  [/certificate_?alias/i, 'alias-unknown'],
  [/token/i, 'token-refused'],
]

function kindByWords(body: unknown): ProviderProblemKind {
  const said = wordsOf(body).join('\n')
  return namedInWords.find(([words]) => words.test(said))?.[1] ?? 'refused'
}

function wordsOf(body: unknown): readonly string[] {
  if (typeof body === 'string') return [body]
  const said = record(body)
  if (!said) return []
  const nested = [record(said.error)?.message, record(said.detail)?.message]
  return [...texts.map((name) => said[name]), ...nested].filter((text) => typeof text === 'string')
}

/** A code and nothing longer: a token that a provider repeats must not get into the log, and tokens have digits in them. */
const CODE = /^(?:[A-Za-z][A-Za-z_ .-]{1,47}|\d{1,6})$/

function codeOf(body: unknown): string | undefined {
  const said = typeof body === 'string' ? { error: body } : record(body)
  const codes = said ? codeShapes.map((shape) => shape(said)) : []
  return codes.map((code) => (typeof code === 'number' ? String(code) : code)).find(isCode)
}

const isCode = (code: unknown): code is string => typeof code === 'string' && CODE.test(code)

const record = (value: unknown): Body | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : undefined
