import { DAY, HOUR, plus } from '@chancela/service-kernel/clock'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import type { Context } from '../context.ts'
import { sweepReplays } from '../store/creation-replays.ts'
import { sweepEvents } from '../store/entity-events.ts'

/** Deletes answers that nobody repeats any more, and events whose time is over. */
export const sweepExpired = (context: Context): Worker =>
  sweeper(context, { name: 'cleanup of expired data failed', every: HOUR / 4 }, async () => {
    const { store, clock, settings } = context
    const now = clock()
    const more = await sweepReplays(store.db, plus(now, -settings.Api.IdempotencyHours * HOUR))
    return (await sweepEvents(store.db, plus(now, -settings.Api.EventDays * DAY))) || more
  })
