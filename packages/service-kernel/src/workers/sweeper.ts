import type { Logger } from 'pino'
import type { Store } from '../store/index.ts'

/** Something that works by itself between start and stop. */
export interface Worker {
  start(): void
  /** Looks now; resolves when what was there is done. */
  wake(): Promise<void>
  stop(): Promise<void>
}

/** Channel on which every sweeper is told to look now, whatever its own time is: after a change of the clock, say. */
export const LOOK_NOW = 'look-now'

interface SweeperOptions {
  /** What is wrong while it fails, for the log. */
  readonly name: string
  /** Milliseconds between two looks. */
  readonly every: number
  /** Where others tell that there is something to do. */
  readonly channel?: string
}

/** Runs `sweep` again and again, never twice at once; true from it means that there is more. */
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
