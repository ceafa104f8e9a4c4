import {
  type FieldErrors,
  type FrameworkFailure,
  type FrameworkFailureRule,
  FrameworkProblem,
  frameworkFailures,
  isNoRoom,
  isStoreUnreachable,
  Refusal,
  type RefusalDetails,
} from '../errors/index.ts'

type WithFallback = {
  [Kind in FrameworkFailure]: (typeof frameworkFailures)[Kind] extends { instead: string } ? Kind : never
}[FrameworkFailure]

/** The service's code for each failure of the framework; those with a fallback may be left out. */
export type FrameworkErrors<Code extends string> = Readonly<
  Record<Exclude<FrameworkFailure, WithFallback>, Code> & Partial<Record<WithFallback, Code>>
>

/** Statuses of failures where a contract allows fewer than HTTP has. */
export type FrameworkStatuses = Readonly<Partial<Record<FrameworkFailure, number>>>

/** A failure ready to be formatted in a service's dialect. */
export interface Failure {
  /** The kind of framework failure, or a refusal of the service. */
  readonly kind: FrameworkFailure | 'refusal'
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details?: RefusalDetails | undefined
  readonly fields?: FieldErrors | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export type Vocabulary = Readonly<Record<string, { readonly status: number; readonly message: string }>>

/** So that nobody takes it for a matter of load. */
const NO_ROOM = { reason: 'The disk is full: nothing was changed.' }
const UNREACHABLE = { reason: 'The database cannot be reached.' }

/** Seconds after which a caller may try again: a database that was restarted is back in about as many. */
const RETRY = { 'retry-after': '5' }

/**
 * Combines what was thrown with the service's codes. A full disk is over when there is room again, and a database that cannot be
 * reached when it is back; any other unknown error is a bug and becomes the generic 500.
 */
export function failures(vocabulary: Vocabulary, codes: FrameworkErrors<string>, statuses: FrameworkStatuses = {}) {
  const named = Object.fromEntries(
    Object.keys(frameworkFailures).map((kind) => [
      kind,
      { ...nameFailure(vocabulary, codes, kind as FrameworkFailure), ...statusOf(statuses[kind as FrameworkFailure]) },
    ]),
  ) as Record<FrameworkFailure, Failure>

  return {
    of(error: unknown): Failure {
      if (error instanceof Refusal) return refused(error)
      if (error instanceof FrameworkProblem) return { ...named[error.kind], ...presentParts(error) }
      if (isNoRoom(error)) return { ...named['no-room'], details: NO_ROOM }
      if (isStoreUnreachable(error)) return { ...named['store-unreachable'], details: UNREACHABLE, headers: RETRY }
      return named.internal
    },
    named: (kind: FrameworkFailure): Failure => named[kind],
  }
}

const statusOf = (status: number | undefined) => status !== undefined && { status }

export type Failures = ReturnType<typeof failures>

function nameFailure(vocabulary: Vocabulary, codes: FrameworkErrors<string>, kind: FrameworkFailure): Failure {
  const rule: FrameworkFailureRule = frameworkFailures[kind]
  const code = codes[kind] ?? codes[rule.instead as keyof typeof codes]
  const entry = code === undefined ? undefined : vocabulary[code]
  if (code === undefined || !entry) throw new Error(`The vocabulary has no code for "${kind}" (${code}).`)
  return { kind, code, message: entry.message, status: rule.status ?? entry.status }
}

/** A refusal lists its fields under `fields` of its details, and is answered like a schema failure. */
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
