import type { RefusalDetails } from './refusal.ts'

/** Field name → what is wrong with it. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

export interface FrameworkFailureRule {
  /** The status HTTP dictates; the vocabulary's when absent. A code may stand for several statuses, as 400 and 415. */
  readonly status?: number
  /** The failure whose code is used when the service defines none for this one. */
  readonly instead?: string
  /** What details name as wrong where nothing more exact is known: a code whose details name a field does so always. */
  readonly field?: string
}

/** Failures outside a route's own code. Every service defines its code for each. */
export const frameworkFailures = {
  'invalid-json': {},
  validation: {},
  /** Where the body alone is wrong; services whose validation code is about queries have another. */
  'invalid-body': { instead: 'validation' },
  'unsupported-media-type': { status: 415 },
  'body-too-large': { status: 413 },
  'unknown-route': {},
  unauthorized: {},
  'rate-limited': { status: 429 },
  busy: {},
  internal: { status: 500 },
  'wrong-method': { instead: 'unknown-route' },
  draining: { status: 503, instead: 'busy' },
  /** Too many wait for the same scarce thing, such as the hashing of passwords. */
  'line-full': { status: 503, instead: 'busy' },
  'no-room': { status: 503, instead: 'busy' },
  'read-only': { status: 503, instead: 'busy' },
  'out-of-files': { status: 503, instead: 'busy' },
  'disk-failing': { status: 503, instead: 'busy' },
  'store-busy': { status: 503, instead: 'busy' },
  'store-unreachable': { status: 503, instead: 'busy' },
  'storage-unreachable': { status: 503, instead: 'busy' },
  'malformed-request': { status: 400, instead: 'invalid-json', field: 'request' },
  'headers-too-large': { status: 431, instead: 'invalid-json', field: 'headers' },
  'request-timeout': { status: 408, instead: 'invalid-json', field: 'request' },
  'expectation-failed': { status: 417, instead: 'invalid-json', field: 'Expect' },
} as const satisfies Record<string, FrameworkFailureRule>

export type FrameworkFailure = keyof typeof frameworkFailures

/** Thrown where the framework refuses; the service's table supplies the code. */
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

/** Refuses a field as the schema would: with the service's validation code, its dialect, and the field's name. */
export const invalidField = (field: string, ...texts: readonly string[]): FrameworkProblem =>
  new FrameworkProblem('validation', { fields: { [field]: texts } })
