import { type Finding, type FindingCode, finding, inEnglish } from '../contract/provider-findings.ts'

/** Failures of a provider. The caller decides the hub's answer to each; `contract/provider-findings.ts` has their sentences. */
export const providerProblems = [
  /** Unreachable, or blocked by the circuit breaker: nothing was sent, or it is known that nothing was done. */
  'unavailable',
  /** The proxy on the way to it did not open a tunnel: nothing was sent. */
  'proxy',
  /** No answer in time: the request may have been executed. */
  'timeout',
  /** The connection broke after the request was sent: it may have been executed. */
  'lost',
  /** 5xx, or an answer its protocol does not allow. */
  'garbage',
  /** The token is expired, used or revoked. */
  'token-refused',
  /** The authorization code is wrong, used or too old. */
  'code-refused',
  /** invalid_client, unauthorized_client: the hub's own credentials. */
  'misconfigured',
  /** A refusal of this one request that proves that nothing was signed. */
  'refused',
  'alias-unknown',
  'hash-not-authorized',
  'too-many-hashes',
  /** It signed, but not this hash with this certificate. */
  'signature-wrong',
] as const satisfies readonly FindingCode[]

export type ProviderProblemKind = (typeof providerProblems)[number]

/** Problems that mean the provider itself, or the way to it, is failing. */
const ailments: ReadonlySet<ProviderProblemKind> = new Set(['unavailable', 'proxy', 'timeout', 'garbage', 'lost'])

/** Whether the provider itself is failing; otherwise it answered, and a refusal is no failure. */
export const isAilment = ({ kind }: ProviderProblem): boolean => ailments.has(kind)

interface Account {
  readonly status?: number
  readonly code?: string
  /** What was found besides the kind. */
  readonly found?: FindingCode | Finding
  /** The same for the log, where it can say more than the finding. */
  readonly diagnosis?: string
  readonly cause?: unknown
}

/** A failure of a provider. Its message contains no address, token or body of the provider. */
export class ProviderProblem extends Error {
  override readonly name = 'ProviderProblem'
  readonly kind: ProviderProblemKind
  /** The provider's own status and code, for the log and the audit. */
  readonly status: number | undefined
  readonly code: string | undefined
  readonly found: Finding | undefined
  /** More for the operator, in English: a diagnosis without secrets. */
  readonly diagnosis: string | undefined

  constructor(kind: ProviderProblemKind, { status, code, found, diagnosis, cause }: Account = {}) {
    super(inEnglish([finding(kind)]), { cause })
    this.kind = kind
    this.status = status
    this.code = code
    this.found = typeof found === 'string' ? finding(found) : found
    this.diagnosis = diagnosis ?? (this.found && inEnglish([this.found]))
  }

  /** All that is known of it, for a page in any language. */
  get findings(): readonly Finding[] {
    return [finding(this.kind), ...this.#answered(), ...(this.found ? [this.found] : [])]
  }

  /** The same in English, for logs and the command line. */
  get account(): string {
    const answered = inEnglish(this.#answered())
    return [this.message, answered, this.diagnosis].filter(Boolean).join(' ')
  }

  #answered(): readonly Finding[] {
    const { status, code } = this
    if (status === undefined) return []
    return [code === undefined ? finding('answered', { status }) : finding('answered-code', { status, code })]
  }
}
