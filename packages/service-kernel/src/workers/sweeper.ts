import type { Logger } from 'pino'
import type { Heartbeat, Heartbeats } from '../health/index.ts'
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
  /** The work, such as `cleanup of files`: for the log when it fails, and for the check `workers`. */
  readonly name: string
  /** Milliseconds between two sweeps. */
  readonly every: number
  /** Channel on which others notify of new work. */
  readonly channel?: string
}

/** What the sweeper needs of a service. Nobody watches one that a command runs. */
interface SweeperContext<Tables> {
  readonly store: Pick<Store<Tables>, 'listen'>
  readonly logger: Logger
  readonly heartbeats?: Heartbeats
}

/** Runs `sweep` repeatedly, never concurrently; it returns true when there is more to do. */
export function sweeper<Tables>(
  { store, logger, heartbeats }: SweeperContext<Tables>,
  { name, every, channel }: SweeperOptions,
  sweep: () => Promise<boolean>,
): Worker {
  let running: Promise<void> | undefined
  let again = false
  let stopped = true
  let timer: NodeJS.Timeout | undefined
  let stopListening: readonly (() => void)[] = []
  let heartbeat: Heartbeat | undefined
  const turn = async (): Promise<boolean> => {
    const isMore = await sweep()
    heartbeat?.beat()
    return isMore
  }
  const work = async (): Promise<void> => {
    try {
      do {
        again = false
        while (!stopped && (await turn()));
      } while (again && !stopped)
    } catch (error) {
      logger.error({ err: error }, `${name} failed`)
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
      heartbeat = heartbeats?.expect(name, every)
      timer = setInterval(() => void wake(), every).unref()
      const channels = channel === undefined ? [LOOK_NOW] : [LOOK_NOW, channel]
      stopListening = channels.map((each) => store.listen(each, () => void wake()))
      void wake()
    },
    wake,
    async stop() {
      stopped = true
      clearInterval(timer)
      heartbeat?.end()
      for (const stop of stopListening) stop()
      await running
    },
  }
}
