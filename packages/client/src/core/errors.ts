/** The error in an answer. */
export interface Refusal {
  readonly code: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>> | undefined
}

/** Where an error came from: an operation, and the request as the server's logs name it. */
interface Origin {
  readonly operation: string
  readonly status: number
  readonly correlationId: string | undefined
}

/** The service answered, and the answer is an error. Branch on `code`, never on the message. */
export class ChancelaError<Code extends string = string> extends Error {
  override readonly name = 'ChancelaError'
  readonly code: Code
  readonly status: number
  /** Details, depending on the code: the invalid field, the limit that was exceeded. */
  readonly details: Readonly<Record<string, unknown>> | undefined
  /** Identifies the request in the server's logs: give it to the server's operator. */
  readonly correlationId: string | undefined
  /** Name of the operation in the contract. */
  readonly operation: string
  /** Whether the same call may be made again, a little later, without harm. */
  readonly isRetryable: boolean

  constructor(refusal: Refusal & { readonly code: Code }, origin: Origin, isRetryable: boolean) {
    super(refusal.message)
    this.code = refusal.code
    this.details = refusal.details
    this.status = origin.status
    this.correlationId = origin.correlationId
    this.operation = origin.operation
    this.isRetryable = isRetryable
  }
}

/** Why there is no usable answer. */
const sentences = {
  'timed-out': 'There was no answer in time.',
  unreachable: 'The service could not be reached, or the connection broke.',
  'not-understood': 'Something answered that is not the service; a proxy in between, for example.',
} as const

interface NoAnswer {
  readonly operation: string
  readonly isRetryable: boolean
  readonly status?: number
  readonly cause?: unknown
}

/** The service did not answer: it is not known whether it did what was asked. */
export class ChancelaConnectionError extends Error {
  override readonly name = 'ChancelaConnectionError'
  readonly reason: keyof typeof sentences
  /** Name of the operation in the contract. */
  readonly operation: string
  /** Of an answer that could not be parsed. */
  readonly status: number | undefined
  /** Whether the same call may be made again without harm: it only reads. */
  readonly isRetryable: boolean

  constructor(reason: keyof typeof sentences, { operation, status, isRetryable, cause }: NoAnswer) {
    super(sentences[reason], { cause })
    this.reason = reason
    this.operation = operation
    this.status = status
    this.isRetryable = isRetryable
  }
}

export type Problem = ChancelaError | ChancelaConnectionError

export const isProblem = (error: unknown): error is Problem =>
  error instanceof ChancelaError || error instanceof ChancelaConnectionError
