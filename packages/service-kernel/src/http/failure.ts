import {
  type FieldErrors,
  type FrameworkFailure,
  type FrameworkFailureRule,
  FrameworkProblem,
  frameworkFailures,
  type PassingTrouble,
  passingTrouble,
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

/**
 * What callers are told of a trouble that passes, so that nobody takes it for a matter of load, and the seconds after
 * which they may try again: a database that was restarted is back in five, a disk is not cleaned up as soon.
 */
const passing: Readonly<Record<PassingTrouble, { readonly reason: string; readonly seconds: number }>> = {
  'no-room': { reason: 'The disk is full: nothing was changed.', seconds: 30 },
  'read-only': { reason: 'The database or the disk can only be read: nothing was changed.', seconds: 30 },
  'out-of-files': { reason: 'The process can open no more files.', seconds: 5 },
  'disk-failing': { reason: 'A disk fails to read or to write.', seconds: 30 },
  'store-busy': { reason: 'The database is busy.', seconds: 5 },
  'store-unreachable': { reason: 'The database cannot be reached.', seconds: 5 },
  'storage-unreachable': { reason: 'The storage of files cannot be reached.', seconds: 5 },
}

const toldOf = (trouble: PassingTrouble): Pick<Failure, 'details' | 'headers'> => ({
  details: { reason: passing[trouble].reason },
  headers: { 'retry-after': String(passing[trouble].seconds) },
})

/**
 * Combines what was thrown with the service's codes. Troubles of the machine and of the database are over when somebody
 * has mended them; any other unknown error is a bug and becomes the generic 500.
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
      const trouble = passingTrouble(error)
      return trouble ? { ...named[trouble], ...toldOf(trouble) } : named.internal
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
  const details = rule.field === undefined ? {} : { details: { field: rule.field } }
  return { kind, code, message: entry.message, status: rule.status ?? entry.status, ...details }
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

/** What was thrown says more exactly what is wrong than its kind does. */
const presentParts = ({ details, fields, headers }: FrameworkProblem): Partial<Failure> => ({
  ...((details ?? fields) && { details }),
  fields,
  headers,
})
