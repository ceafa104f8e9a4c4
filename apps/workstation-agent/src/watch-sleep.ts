import { type Clock, SECOND } from '@chancela/service-kernel/clock'

const LOOK_EVERY = 2 * SECOND

/** Nothing else keeps a timer waiting for so long. */
const ASLEEP = 20 * SECOND

/**
 * Calls back when the clock has moved on while no timer ran: the machine was asleep, or the process was stopped. Timers do
 * not tell, because they pause with the machine.
 */
export function watchSleep(clock: Clock, wake: () => void): () => void {
  let last = clock().getTime()
  const timer = setInterval(() => {
    const now = clock().getTime()
    if (now - last > ASLEEP) wake()
    last = now
  }, LOOK_EVERY)
  timer.unref()
  return () => clearInterval(timer)
}
