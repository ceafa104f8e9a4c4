/** Wire code → what it means. One table per service, in its contract folder. */
export type ErrorVocabulary = Readonly<Record<string, { readonly status: number; readonly message: string }>>

/** What a refusal contains besides its code; each service's dialect decides where it goes. */
export type RefusalDetails = Readonly<Record<string, unknown>>

/** A refusal the caller can act on. Anything else that reaches the edge is a bug and answers the service's 500. */
export class Refusal<Code extends string = string> extends Error {
  override readonly name = 'Refusal'
  readonly code: Code
  readonly status: number
  readonly details: RefusalDetails | undefined
  /** Extra response headers, such as Retry-After. */
  readonly headers: Readonly<Record<string, string>> | undefined

  constructor(
    code: Code,
    entry: { status: number; message: string },
    more: { details?: RefusalDetails; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(entry.message, { cause: more.cause })
    this.code = code
    this.status = entry.status
    this.details = more.details
    this.headers = more.headers
  }
}

/** Binds a vocabulary, so that a service can only refuse with a code it has published. */
export function refuser<V extends ErrorVocabulary>(vocabulary: V) {
  return <C extends keyof V & string>(code: C, details?: RefusalDetails, cause?: unknown): Refusal<C> =>
    new Refusal(code, vocabulary[code]!, { ...(details && { details }), cause })
}
