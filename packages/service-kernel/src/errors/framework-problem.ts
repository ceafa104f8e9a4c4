import type { RefusalDetails } from './refusal.ts'

/** Field name → what is wrong with it. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

export interface FrameworkFailureRule {
  /** The status HTTP dictates; the vocabulary's when absent. A code may stand for several statuses, as 400 and 415. */
  readonly status?: number
  /** Whose code is answered when the service names none for this. */
  readonly instead?: string
}

/** What goes wrong around a route's own code. Every service names the code it answers for each. */
export const frameworkFailures = {
  'invalid-json': {},
  validation: {},
  'unsupported-media-type': { status: 415 },
  'body-too-large': { status: 413 },
  'unknown-route': {},
  unauthorized: {},
  'rate-limited': { status: 429 },
  busy: {},
  internal: { status: 500 },
  'wrong-method': { instead: 'unknown-route' },
  draining: { status: 503, instead: 'busy' },
  'malformed-request': { status: 400, instead: 'invalid-json' },
  'headers-too-large': { status: 431, instead: 'invalid-json' },
  'request-timeout': { status: 408, instead: 'invalid-json' },
  'expectation-failed': { status: 417, instead: 'invalid-json' },
} as const satisfies Record<string, FrameworkFailureRule>

export type FrameworkFailure = keyof typeof frameworkFailures

/** Thrown where the framework refuses; gets its code where the service's table is known. */
export class FrameworkProblem extends Error {
  override readonly name = 'FrameworkProblem'
  readonly kind: FrameworkFailure
  readonly details: RefusalDetails | undefined
  readonly fields: FieldErrors | undefined
  readonly headers: Readonly<Record<string, string>> | undefined

  constructor(
    kind: FrameworkFailure,
    more: { details?: RefusalDetails; fields?: FieldErrors; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(kind, { cause: more.cause })
    this.kind = kind
    this.details = more.details
    this.fields = more.fields
    this.headers = more.headers
  }
}

/** Refuses a field as the schema would have: the service's validation code, its dialect, the field named. */
export const invalidField = (field: string, ...texts: readonly string[]): FrameworkProblem =>
  new FrameworkProblem('validation', { fields: { [field]: texts } })
