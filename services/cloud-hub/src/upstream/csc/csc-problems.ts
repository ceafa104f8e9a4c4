// Meanings of CSC refusals. Almost every one is `400 invalid_request`, distinguished only by its message; some servers
// put that in `message` (cloud-hub facts 2.5).
import { problemOfAnswer, type Shown } from '../answer-problems.ts'
import { ProviderProblem, type ProviderProblemKind } from '../provider-problem.ts'

interface Meaning {
  readonly words: RegExp
  readonly kind: ProviderProblemKind
}

/** In the order tried. */
const meanings: readonly Meaning[] = [
  { words: /hash is not authori[sz]ed/i, kind: 'hash-not-authorized' },
  { words: /\bSAD\b/, kind: 'token-refused' },
  { words: /signatures is too high|numSignatures/i, kind: 'too-many-hashes' },
  { words: /invalid parameter credentialID/i, kind: 'alias-unknown' },
  { words: /client_id|client_secret|client authori[sz]ation/i, kind: 'misconfigured' },
  { words: /authori[sz]ation code|parameter code\b|redirect_uri/i, kind: 'code-refused' },
]

/** Fields with messages. They are searched and never stored: they may repeat secrets. */
const texts = ['error_description', 'message', 'error'] as const

/** The problem of an answer that is not 2xx. */
export function cscProblem(status: number, body: unknown, shown: Shown): ProviderProblem {
  const general = problemOfAnswer(status, body, shown)
  if (general.kind !== 'refused') return general
  const said = wordsOf(body)
  const kind = meanings.find(({ words }) => words.test(said))?.kind ?? 'refused'
  return new ProviderProblem(kind, { status, ...(general.code !== undefined && { code: general.code }) })
}

function wordsOf(body: unknown): string {
  if (typeof body !== 'object' || body === null) return String(body)
  const said = body as Readonly<Record<string, unknown>>
  return texts.map((name) => said[name]).find((words) => typeof words === 'string') ?? ''
}
