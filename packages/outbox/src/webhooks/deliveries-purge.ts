import { type Clock, DAY, HOUR, plus } from '@chancela/service-kernel/clock'
import type { Store } from '@chancela/service-kernel/store'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import { purgeDeliveries } from './purge.ts'

/** What the purge needs of a service; the section has the same names in each. */
type PurgeContext<Tables> = Parameters<typeof sweeper<Tables>>[0] & {
  readonly store: Store<Tables>
  readonly clock: Clock
  readonly settings: { readonly Webhooks: { readonly RetentionDays: number; readonly MaxLoggedDeliveries: number } }
}

/** Deletes expired entries of the webhook log every hour, in small batches that do not delay deliveries. */
export function deliveriesPurge<Tables>(context: PurgeContext<Tables>): Worker {
  const stopping = new AbortController()
  const worker = sweeper(context, { name: 'webhook log purge', every: HOUR }, async () => {
    const { RetentionDays, MaxLoggedDeliveries } = context.settings.Webhooks
    const endedBefore = plus(context.clock(), -RetentionDays * DAY)
    await purgeDeliveries(context.store, { endedBefore, mostDeliveries: MaxLoggedDeliveries }, stopping.signal)
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
