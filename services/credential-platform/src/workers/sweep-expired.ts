import { DAY, HOUR, plus } from '@chancela/service-kernel/clock'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import type { Context } from '../context.ts'
import { sweepReplays } from '../store/creation-replays.ts'
import { sweepEvents } from '../store/entity-events.ts'
import { sweepSignings } from '../store/remote-signings.ts'
import { sweepOffers } from '../store/wallet-offers.ts'

/** How long a person can see what became of documents they signed elsewhere; jobs take two days at most. */
const SIGNINGS_KEPT = 7 * DAY
/** So long is a link to a credential kept after its end. */
const OFFER_REST = 30 * DAY

/** Deletes answers that nobody repeats any more; links, events and requests to sign whose time is over. */
export const sweepExpired = (context: Context): Worker =>
  sweeper(context, { name: 'cleanup of expired data', every: HOUR / 4 }, async () => {
    const { store, chain, clock, settings } = context
    const now = clock()
    const more = [
      await sweepReplays(store.db, plus(now, -settings.Api.IdempotencyHours * HOUR)),
      await sweepSignings(store.db, plus(now, -SIGNINGS_KEPT)),
      await sweepOffers(store.db, plus(now, -OFFER_REST)),
      await sweepEvents(store, chain, plus(now, -settings.Api.EventDays * DAY)),
    ]
    return more.includes(true)
  })
