import type { Destination } from './destination.ts'
import type { AnswerLimits } from './pending-answer.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string | URL | Destination
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | Iterable<Uint8Array> | undefined
  /** Ends the call before its deadline. */
  readonly signal?: AbortSignal | undefined
  readonly deadlineMs?: number
  readonly maxAnswerBytes?: number
  /**
   * Milliseconds for the body where the head is what counts: of a body that is too long, breaks off or trickles, what
   * came is the answer's. Default: an answer is there when it has come as a whole.
   */
  readonly bodyWithinMs?: AnswerLimits['bodyWithinMs']
}
