import { DAY, HOUR, plus, SECOND } from '@chancela/service-kernel/clock'
import { writeAlone } from '@chancela/service-kernel/store'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import type { Context } from '../context.ts'
import type { HubMetrics } from '../metrics.ts'
import { purgeHolders } from '../store/past-holders.ts'
import { forgetGrants, purgeCreations, purgeSessions, purgeUses, sessionsToPurge } from '../store/sweep.ts'

/** Rows of each kind per tick, during which on SQLite every other query waits. */
export const SWEPT_AT_ONCE = 200

/** Deletes expired tokens and old rows. */
export const sweepSessions = (context: Context, metrics: HubMetrics): Worker =>
  sweeper(context, { name: 'session cleanup', every: 5 * SECOND }, async () => {
    const began = performance.now()
    const swept = await sweepOnce(context)
    metrics.hub_sweep_seconds.observe((performance.now() - began) / SECOND)
    return Object.values(swept).includes(SWEPT_AT_ONCE)
  })

/** One tick; returns how many of each kind it found. */
export async function sweepOnce({ store, clock, settings }: Pick<Context, 'store' | 'clock' | 'settings'>) {
  const now = clock()
  const forgotten = plus(now, -settings.Sessions.TombstoneHours * HOUR)
  const unaudited = plus(now, -settings.Signing.AuditDays * DAY)
  const grants = await writeAlone(store, (db) => forgetGrants(db, now, SWEPT_AT_ONCE))
  const sessions = await sessionsToPurge(store.db, now, SWEPT_AT_ONCE)
  if (sessions.length > 0) await store.transaction((tx) => purgeSessions(tx, sessions))
  const creations = await writeAlone(store, (db) => purgeCreations(db, forgotten, SWEPT_AT_ONCE))
  const uses = await writeAlone(store, (db) => purgeUses(db, unaudited, SWEPT_AT_ONCE))
  const holders = await writeAlone(store, (db) => purgeHolders(db, unaudited, SWEPT_AT_ONCE))
  return { grants, sessions: sessions.length, creations, uses, holders }
}
