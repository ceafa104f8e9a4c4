import { DAY, plus, SECOND } from '@chancela/service-kernel/clock'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import type { Context } from '../context.ts'
import type { LiveSessions } from '../parts/sessions/live-sessions.ts'
import type { PinFailures } from '../parts/sessions/pin-failures.ts'
import { deleteEndedSessions } from '../store/session-rows.ts'

/** How long the end time of a session can be read. */
const REMEMBERED = DAY

/** Rows deleted per statement, during which on SQLite every other query waits. */
const AT_ONCE = 500

/** Ends idle sessions, and deletes expired records. */
export const endSessions = (context: Context, sessions: LiveSessions, failures: PinFailures): Worker =>
  sweeper(context, { name: 'session expiration', every: 5 * SECOND }, async () => {
    const now = context.clock()
    await sessions.sweep(now)
    await failures.sweep(now)
    return (await deleteEndedSessions(context.store.db, plus(now, -REMEMBERED), AT_ONCE)) === AT_ONCE
  })
