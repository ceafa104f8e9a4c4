import { SECOND } from '@chancela/service-kernel/clock'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import type { Context } from '../context.ts'
import type { Approvals } from '../parts/approvals/approvals.ts'

/** Ends approvals whose time is over, and forgets those that ended. */
export const sweepApprovals = (context: Context, approvals: Approvals): Worker =>
  sweeper(context, { name: 'approval expiration', every: 5 * SECOND }, async () => {
    approvals.sweep(context.clock())
    return false
  })
