import { DAY, plus, SECOND } from '@chancela/service-kernel/clock'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import type { Context } from '../context.ts'
import type { LiveSessions } from '../parts/sessions/live-sessions.ts'
import type { PinFailures } from '../parts/sessions/pin-failures.ts'
import { deleteEndedSessions } from '../store/session-rows.ts'

/** How long an ended session can still say when it ended. */
const REMEMBERED = DAY

/** Rows deleted in one statement, which on SQLite is how long every other query waits. */
const AT_ONCE = 500

/** Ends sessions that were idle too long, and forgets what nobody asks about any more. */
export const endSessions = (context: Context, sessions: LiveSessions, failures: PinFailures): Worker =>
  sweeper(context, { name: 'session expiration failed', every: 5 * SECOND }, async () => {
    const now = context.clock()
    await sessions.sweep(now)
    await failures.sweep(now)
    return (await deleteEndedSessions(context.store.db, plus(now, -REMEMBERED), AT_ONCE)) === AT_ONCE
  })
