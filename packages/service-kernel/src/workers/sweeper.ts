import type { Logger } from 'pino'
import type { Store } from '../store/index.ts'

/** Runs by itself between start and stop. */
export interface Worker {
  start(): void
  /** Sweeps now; resolves when everything found is done. */
  wake(): Promise<void>
  stop(): Promise<void>
}

/** Notification channel that makes every sweeper run now: after a change of the clock, for example. */
export const LOOK_NOW = 'look-now'

interface SweeperOptions {
  /** Name of the failing work, for the log. */
  readonly name: string
  /** Milliseconds between two sweeps. */
  readonly every: number
  /** Channel on which others notify of new work. */
  readonly channel?: string
}

/** Runs `sweep` repeatedly, never concurrently; it returns true when there is more to do. */
export function sweeper<Tables>(
  { store, logger }: { readonly store: Pick<Store<Tables>, 'listen'>; readonly logger: Logger },
  { name, every, channel }: SweeperOptions,
  sweep: () => Promise<boolean>,
): Worker {
  let running: Promise<void> | undefined
  let again = false
  let stopped = true
  let timer: NodeJS.Timeout | undefined
  let stopListening: readonly (() => void)[] = []
  const work = async (): Promise<void> => {
    try {
      do {
        again = false
        while (!stopped && (await sweep()));
      } while (again && !stopped)
    } catch (error) {
      logger.error({ err: error }, name)
    } finally {
      running = undefined
    }
  }
  const wake = (): Promise<void> => {
    if (stopped) return Promise.resolve()
    again = running !== undefined
    running ??= work()
    return running
  }
  return {
    start() {
      stopped = false
      timer = setInterval(() => void wake(), every).unref()
      const channels = channel === undefined ? [LOOK_NOW] : [LOOK_NOW, channel]
      stopListening = channels.map((each) => store.listen(each, () => void wake()))
      void wake()
    },
    wake,
    async stop() {
      stopped = true
      clearInterval(timer)
      for (const stop of stopListening) stop()
      await running
    },
  }
}
