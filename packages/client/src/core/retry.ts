import { pause, type Signals } from './cancellation.ts'
import type { RetryOptions } from './options.ts'

/** Repeats an attempt while its failure allows it, with pauses that grow. */
export async function repeated<T>(
  retry: RetryOptions | false,
  mayRepeat: (error: unknown) => boolean,
  signals: Signals,
  attempt: () => Promise<T>,
): Promise<T> {
  const { attempts = 5, firstDelayMs = 200, maxDelayMs = 5000 } = retry || { attempts: 1 }
  for (let failures = 1; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      if (failures >= attempts || !mayRepeat(error)) throw error
    }
    await pause(jittered(Math.min(maxDelayMs, firstDelayMs * 2 ** (failures - 1))), signals)
  }
}

/** Between half and the whole: clients that were refused together do not retry together. */
export const jittered = (ms: number): number => ms * (0.5 + Math.random() / 2)
