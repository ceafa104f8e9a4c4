import {
  type FieldErrors,
  type FrameworkFailure,
  type FrameworkFailureRule,
  FrameworkProblem,
  frameworkFailures,
  isNoRoom,
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

/**
 * Combines what was thrown with the service's codes. A full disk is over when there is room again; any other unknown error
 * is a bug and becomes the generic 500.
 */
export function failures(vocabulary: Vocabulary, codes: FrameworkErrors<string>) {
  const named = Object.fromEntries(
    Object.keys(frameworkFailures).map((kind) => [kind, nameFailure(vocabulary, codes, kind as FrameworkFailure)]),
  ) as Record<FrameworkFailure, Failure>

  return {
    of(error: unknown): Failure {
      if (error instanceof Refusal) return refused(error)
      if (error instanceof FrameworkProblem) return { ...named[error.kind], ...presentParts(error) }
      return isNoRoom(error) ? { ...named['no-room'], details: NO_ROOM } : named.internal
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
