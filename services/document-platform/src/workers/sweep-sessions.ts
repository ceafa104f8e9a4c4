import { HOUR, plus } from '@chancela/service-kernel/clock'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import type { Context } from '../context.ts'
import { sweepSessions as sweep } from '../store/account-sessions.ts'

/** Deletes sessions whose cookies have expired, ended ones included. */
export const sweepSessions = (context: Context): Worker =>
  sweeper(context, { name: 'cleanup of sessions', every: HOUR }, () => {
    const { settings, store, clock } = context
    // One hour more than a session lasts: a row is seen to the minute, and clocks of instances differ.
    return sweep(store.db, plus(clock(), -(settings.Auth.SessionHours + 1) * HOUR))
  })
