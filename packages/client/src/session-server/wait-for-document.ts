import { bounded, pause, type Signals, TimedOut } from '../core/cancellation.ts'
import { ChancelaConnectionError } from '../core/errors.ts'
import type { CallOptions } from '../core/options.ts'
import { jittered } from '../core/retry.ts'
import { isSessionError } from './is-session-error.ts'

export interface WaitOptions extends Pick<CallOptions, 'signal'> {
  /** Milliseconds until it gives up and throws the last DOCUMENT_NOT_READY. Default two minutes. */
  readonly timeoutMs?: number | undefined
  /** Milliseconds between the first two requests; each further pause is half as long again. Default 250. */
  readonly firstDelayMs?: number | undefined
  /** Longest pause between requests, in milliseconds. Default 5000. */
  readonly maxDelayMs?: number | undefined
}

/** Polls for a document until it is signed, or can no longer be. */
export async function waitForDocument<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  signals: Signals,
  { timeoutMs = 120_000, firstDelayMs = 250, maxDelayMs = 5000 }: WaitOptions,
): Promise<T> {
  let latest: unknown = new ChancelaConnectionError('timed-out', { operation: 'readDocument', isRetryable: true })
  const untilThere = async (ending: AbortSignal) => {
    for (let delay = firstDelayMs; ; delay = Math.min(maxDelayMs, delay * 1.5)) {
      try {
        return await ask(ending)
      } catch (error) {
        if (!isSessionError(error, 'DOCUMENT_NOT_READY')) throw error
        latest = error
      }
      await pause(jittered(delay), [ending])
    }
  }
  return bounded(signals, timeoutMs, untilThere).catch((error: unknown) => {
    throw error instanceof TimedOut ? latest : error
  })
}
