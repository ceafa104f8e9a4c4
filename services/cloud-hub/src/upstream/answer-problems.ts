// Meanings of provider answers that are not 2xx. The norm uses RFC 6749's codes; providers write them in many formats
// (cloud-hub facts 1.7).
import { ProviderProblem, type ProviderProblemKind } from './provider-problem.ts'

/** What a call presents to the provider: an access token, a code with the hub's credentials, only these, or nothing. */
export type Shown = 'token' | 'code' | 'client' | 'nothing'

type Body = Readonly<Record<string, unknown>>

/** Where the code is found, in the order tried. */
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

/** Fields with messages for people. They are searched and never stored: they may repeat secrets. */
const texts = ['error_description', 'message', 'Message', 'detail', 'title', 'error'] as const

/** Codes with the same meaning under every status; `shown` takes precedence. */
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

/** Statuses of single signatures inside a 200 answer, as one broker writes them; 140 means success. */
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

/** The problem of an answer that is not 2xx. */
export function problemOfAnswer(status: number, body: unknown, shown: Shown): ProviderProblem {
  const code = codeOf(body)
  return new ProviderProblem(kindOf(status, code, body, shown), { status, ...(code !== undefined && { code }) })
}

/** The problem of a single signature's own status; undefined when it succeeded or has none. */
export function problemOfItem(status: unknown): ProviderProblem | undefined {
  if (typeof status !== 'number' || status === ITEM_DONE) return undefined
  return new ProviderProblem(itemMeanings[status] ?? 'refused', { code: String(status) })
}

function kindOf(status: number, code: string | undefined, body: unknown, shown: Shown): ProviderProblemKind {
  // Neither a redirect nor a 5xx is an answer of the protocol.
  if (status < 400 || status >= 500) return 'garbage'
  // The status itself says that nothing was done.
  if (status === 408 || status === 429) return 'unavailable'
  const meant = meanings[code?.toLowerCase() ?? '']
  if (meant !== undefined) return fitting(meant, shown)
  if (status === 401) return shown === 'token' ? 'token-refused' : 'misconfigured'
  return shown === 'token' ? kindByWords(body) : 'refused'
}

/** A meaning that cannot apply to what was presented is mapped to what was. */
function fitting(meant: ProviderProblemKind, shown: Shown): ProviderProblemKind {
  if (shown === 'token' && (meant === 'code-refused' || meant === 'misconfigured')) return 'token-refused'
  if (shown !== 'token' && meant === 'token-refused') return shown === 'code' ? 'code-refused' : 'misconfigured'
  if (shown === 'client' && meant === 'code-refused') return 'misconfigured'
  return meant
}

/** Problems recognised in messages, where no code tells more. */
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

/** A short code: a token that a provider repeats must not reach the log, and tokens contain digits among letters. */
const CODE = /^(?:[A-Za-z][A-Za-z_ .-]{1,47}|\d{1,6})$/

function codeOf(body: unknown): string | undefined {
  const said = typeof body === 'string' ? { error: body } : record(body)
  const codes = said ? codeShapes.map((shape) => shape(said)) : []
  return codes.map((code) => (typeof code === 'number' ? String(code) : code)).find(isCode)
}

const isCode = (code: unknown): code is string => typeof code === 'string' && CODE.test(code)

const record = (value: unknown): Body | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : undefined
