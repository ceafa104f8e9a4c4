import type { AnswerLimits } from './pending-answer.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string | URL
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | Iterable<Uint8Array> | undefined
  /** Ends the call before its deadline. */
  readonly signal?: AbortSignal | undefined
  readonly deadlineMs?: number
  readonly maxAnswerBytes?: number
  /** What happens with a longer response: `too-large` (the default), or truncation. */
  readonly overlong?: AnswerLimits['overlong']
}
