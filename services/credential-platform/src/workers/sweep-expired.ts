import { DAY, HOUR, plus } from '@chancela/service-kernel/clock'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import type { Context } from '../context.ts'
import { sweepReplays } from '../store/creation-replays.ts'
import { sweepEvents } from '../store/entity-events.ts'
import { sweepSignings } from '../store/remote-signings.ts'

/** How long a person can see what became of documents they signed elsewhere; jobs take two days at most. */
const SIGNINGS_KEPT = 7 * DAY

/** Deletes answers that nobody repeats any more, and events and requests to sign whose time is over. */
export const sweepExpired = (context: Context): Worker =>
  sweeper(context, { name: 'cleanup of expired data failed', every: HOUR / 4 }, async () => {
    const { store, clock, settings } = context
    const now = clock()
    const more = await sweepReplays(store.db, plus(now, -settings.Api.IdempotencyHours * HOUR))
    const signings = await sweepSignings(store.db, plus(now, -SIGNINGS_KEPT))
    return (await sweepEvents(store.db, plus(now, -settings.Api.EventDays * DAY))) || more || signings
  })
