import { DAY, plus, SECOND } from '@chancela/service-kernel/clock'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import type { Context } from '../context.ts'
import type { LiveSessions } from '../parts/sessions/live-sessions.ts'
import type { PinFailures } from '../parts/sessions/pin-failures.ts'
import { deleteAttempts } from '../store/session-history.ts'
import { deleteEndedSessions } from '../store/session-rows.ts'

/** Rows deleted per statement, during which on SQLite every other query waits. */
const AT_ONCE = 500

/** Ends idle sessions, and deletes expired records. */
export const endSessions = (context: Context, sessions: LiveSessions, failures: PinFailures): Worker =>
  sweeper(context, { name: 'session expiration', every: 5 * SECOND }, async () => {
    const now = context.clock()
    await sessions.sweep(now)
    await failures.sweep(now)
    const { store, settings } = context
    const before = plus(now, -settings.Sessions.HistoryDays * DAY)
    const deleted = [
      await deleteEndedSessions(store.db, before, AT_ONCE),
      await deleteAttempts(store.db, before, AT_ONCE),
    ]
    return deleted.includes(AT_ONCE)
  })
