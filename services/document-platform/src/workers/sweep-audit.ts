import { DAY, HOUR, plus } from '@chancela/service-kernel/clock'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import type { Context } from '../context.ts'
import { chainsBefore, sweepChain } from '../store/audit-entries.ts'

/** Deletes entries of the audit after their time, from the oldest on. */
export const sweepAudit = (context: Context): Worker =>
  sweeper(context, { name: 'cleanup of the audit', every: HOUR }, async () => {
    const { settings, store, clock } = context
    const before = plus(clock(), -settings.Audit.RetentionDays * DAY)
    for (const id of await chainsBefore(store.db, before)) await store.transaction((tx) => sweepChain(tx, id, before))
    return false
  })
