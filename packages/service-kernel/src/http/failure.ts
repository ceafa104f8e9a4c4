import { Refusal, type RefusalDetails } from '../errors/index.ts'

/** Field name → what is wrong with it. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

interface FrameworkFailureRule {
  /** The status HTTP dictates; the vocabulary's when absent. A code may stand for several statuses, as 400 and 415. */
  readonly status?: number
  /** Whose code is answered when the service names none for this. */
  readonly instead?: string
}

/** What goes wrong around a route's own code. Every service names the code it answers for each. */
const frameworkFailures = {
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

type WithFallback = {
  [Kind in FrameworkFailure]: (typeof frameworkFailures)[Kind] extends { instead: string } ? Kind : never
}[FrameworkFailure]

/** The service's code for each failure of the framework; those with a fallback may be left out. */
export type FrameworkErrors<Code extends string> = Readonly<
  Record<Exclude<FrameworkFailure, WithFallback>, Code> & Partial<Record<WithFallback, Code>>
>

/** A failure ready to be written in a service's dialect. */
export interface Failure {
  /** What the framework saw, or that the service refused. */
  readonly kind: FrameworkFailure | 'refusal'
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details?: RefusalDetails | undefined
  readonly fields?: FieldErrors | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

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

export type Vocabulary = Readonly<Record<string, { readonly status: number; readonly message: string }>>

/** Joins what was thrown with the service's codes. Anything unknown is a bug and becomes the service's generic 500. */
export function failures(vocabulary: Vocabulary, codes: FrameworkErrors<string>) {
  const named = Object.fromEntries(
    Object.keys(frameworkFailures).map((kind) => [kind, nameFailure(vocabulary, codes, kind as FrameworkFailure)]),
  ) as Record<FrameworkFailure, Failure>

  return {
    of(error: unknown): Failure {
      if (error instanceof Refusal) return refused(error)
      if (error instanceof FrameworkProblem) return { ...named[error.kind], ...presentParts(error) }
      return named.internal
    },
    named: (kind: FrameworkFailure): Failure => named[kind],
  }
}

export type Failures = ReturnType<typeof failures>

function nameFailure(vocabulary: Vocabulary, codes: FrameworkErrors<string>, kind: FrameworkFailure): Failure {
  const rule: FrameworkFailureRule = frameworkFailures[kind]
  const code = codes[kind] ?? codes[rule.instead as keyof typeof codes]
  const entry = code === undefined ? undefined : vocabulary[code]
  if (code === undefined || !entry) throw new Error(`The vocabulary has no code for "${kind}" (${code}).`)
  return { kind, code, message: entry.message, status: rule.status ?? entry.status }
}

/** A refusal that names fields does so under `fields` of its details, and answers like the schema's own refusals. */
const refused = ({ code, status, message, details, headers }: Refusal): Failure => ({
  kind: 'refusal',
  code,
  status,
  message,
  details,
  fields: details?.fields as FieldErrors | undefined,
  headers,
})

const presentParts = ({ details, fields, headers }: FrameworkProblem): Partial<Failure> => ({
  details,
  fields,
  headers,
})
