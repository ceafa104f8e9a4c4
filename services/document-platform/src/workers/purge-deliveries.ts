import { DAY, HOUR, plus } from '@chancela/service-kernel/clock'
import { purgeDeliveries as purge } from '@chancela/service-kernel/webhooks'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import type { Ground } from '../context.ts'

/** Deletes what the log of webhooks has kept for long enough, in bites that no delivery waits for. */
export function purgeDeliveries(ground: Ground): Worker {
  const stopping = new AbortController()
  const worker = sweeper(ground, { name: 'the log of webhooks is not purged', every: HOUR }, async () => {
    const { RetentionDays, MaxLoggedDeliveries } = ground.settings.Webhooks
    const endedBefore = plus(ground.clock(), -RetentionDays * DAY)
    await purge(ground.store, { endedBefore, mostDeliveries: MaxLoggedDeliveries }, stopping.signal)
    return false
  })
  return {
    ...worker,
    stop() {
      stopping.abort()
      return worker.stop()
    },
  }
}
