import { DAY, HOUR, plus } from '@chancela/service-kernel/clock'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import type { Context } from '../context.ts'
import { chainsBefore, sweepEntries } from '../store/audit-entries.ts'

/** Deletes entries of the audit after their time, from the oldest on. */
export const sweepAudit = (context: Context): Worker =>
  sweeper(context, { name: 'cleanup of the audit', every: HOUR }, async () => {
    const { settings, store, chain, clock } = context
    const before = plus(clock(), -settings.Audit.RetentionDays * DAY)
    let isMore = false
    for (const id of await chainsBefore(store.db, before))
      isMore = (await sweepEntries(store, chain, id, before)) || isMore
    return isMore
  })
