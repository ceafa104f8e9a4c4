/** Any of these ends the work. */
export type Signals = readonly AbortSignal[]

/** The work exceeded its time limit. */
export class TimedOut extends Error {}

// The longest timer; a longer one would fire at once.
const LONGEST_MS = 2 ** 31 - 1

/**
 * Runs work that a signal or the timeout may abort. The listeners are removed afterwards: a signal may live as long as
 * its program, and `AbortSignal.any` would leak something on it with every call.
 */
export async function bounded<T>(
  signals: Signals,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const unlink = onAbort(signals, (reason) => controller.abort(reason))
  const timer = setTimeout(() => controller.abort(new TimedOut()), Math.min(timeoutMs, LONGEST_MS))
  try {
    return await work(controller.signal)
  } catch (error) {
    // The error of aborted work depends on the platform; the reason of the signal does not.
    controller.signal.throwIfAborted()
    throw error
  } finally {
    clearTimeout(timer)
    unlink()
  }
}

/** Waits; a signal ends it with its reason. */
export function pause(ms: number, signals: Signals): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      unlink()
      resolve()
    }, ms)
    const unlink = onAbort(signals, (reason) => {
      clearTimeout(timer)
      reject(reason)
    })
  })
}

/** Calls back at the first abort; returns a function that unsubscribes. */
function onAbort(signals: Signals, end: (reason: unknown) => void): () => void {
  const aborted = signals.find((signal) => signal.aborted)
  if (aborted) {
    end(aborted.reason)
    return () => {}
  }
  const listener = (event: Event) => end((event.target as AbortSignal).reason)
  for (const signal of signals) signal.addEventListener('abort', listener, { once: true })
  return () => {
    for (const signal of signals) signal.removeEventListener('abort', listener)
  }
}
