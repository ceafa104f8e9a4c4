import { DAY, MINUTE, plus, SECOND } from '@chancela/service-kernel/clock'
import { writeAlone } from '@chancela/service-kernel/store'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import type { Context } from '../context.ts'
import { dropPictures, expireSessions, purgeSessions } from '../store/bio/sessions.ts'

/** Rows per tick, during which on SQLite every other query waits. */
const SWEPT_AT_ONCE = 200

/** Ends sessions whose time is over, and drops the pictures and the sessions that are kept no longer. */
export const sweepBio = (context: Context): Worker =>
  sweeper(context, { name: 'cleanup of biometric sessions', every: 5 * SECOND }, async () => {
    const now = context.clock()
    const { ResultMinutes, SessionDays } = context.settings.Biometrics
    const swept = [
      await writeAlone(context.store, (db) => expireSessions(db, now, SWEPT_AT_ONCE)),
      await writeAlone(context.store, (db) => dropPictures(db, plus(now, -ResultMinutes * MINUTE), SWEPT_AT_ONCE)),
      await writeAlone(context.store, (db) => purgeSessions(db, plus(now, -SessionDays * DAY), SWEPT_AT_ONCE)),
    ]
    return swept.includes(SWEPT_AT_ONCE)
  })
