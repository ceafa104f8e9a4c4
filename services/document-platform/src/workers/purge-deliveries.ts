import { purgeDeliveries as purge } from '@chancela/outbox/webhooks'
import { DAY, HOUR, plus } from '@chancela/service-kernel/clock'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import type { Context } from '../context.ts'

/** Deletes expired entries of the webhook log, in small batches that do not delay deliveries. */
export function purgeDeliveries(context: Context): Worker {
  const stopping = new AbortController()
  const worker = sweeper(context, { name: 'webhook log purge', every: HOUR }, async () => {
    const { RetentionDays, MaxLoggedDeliveries } = context.settings.Webhooks
    const endedBefore = plus(context.clock(), -RetentionDays * DAY)
    await purge(context.store, { endedBefore, mostDeliveries: MaxLoggedDeliveries }, stopping.signal)
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
