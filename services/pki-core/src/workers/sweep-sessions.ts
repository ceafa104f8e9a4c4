import { DAY, MINUTE, plus } from '@chancela/service-kernel/clock'
import { notify, writeAlone } from '@chancela/service-kernel/store'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import type { Context } from '../context.ts'
import { purgeSignings } from '../store/session-signings.ts'
import { expireSessions, purgeSessions, sessionChannel } from '../store/sessions.ts'

const AT_ONCE = 500

/** Ends sessions whose time is over, and deletes those that ended long ago; their documents stay. */
export const sweepSessions = (context: Context): Worker =>
  sweeper(context, { name: 'cleanup of signature sessions', every: MINUTE }, async () => {
    const now = context.clock()
    const expired = await writeAlone(context.store, (db) => expireSessions(db, now, AT_ONCE))
    for (const id of expired) await notify(context.store.db, sessionChannel(id))
    const endedBefore = plus(now, -context.settings.Sessions.RetentionDays * DAY)
    const purged = await writeAlone(context.store, (db) => purgeSessions(db, endedBefore, AT_ONCE))
    const signings = await writeAlone(context.store, (db) => purgeSignings(db, now, AT_ONCE))
    return [expired.length, purged, signings].includes(AT_ONCE)
  })
