import { HOUR, MINUTE, plus } from '@chancela/service-kernel/clock'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import { closeMonth } from '../actions/organizations/invoices.ts'
import type { Context } from '../context.ts'
import { monthOf } from '../rules/expiration.ts'

const AT_ONCE = 100

/** Delay after a month's end before it is closed: transactions of its last moment may not be committed yet. */
const GRACE = HOUR

/** Closes past months into invoices; with several instances, the first one does it. */
export const closeInvoices = (context: Context): Worker =>
  sweeper(context, { name: 'invoice closing', every: 10 * MINUTE }, async () => {
    const { Billing, Documents } = context.settings
    if (!Billing.CloseInvoices) return false
    const now = context.clock()
    const running = monthOf(plus(now, -GRACE), Documents.DefaultTimeZone)
    const over = await context.store.db
      .selectFrom('billed_transaction as t')
      .select(['t.organization_id', 't.month'])
      .distinct()
      .where('t.month', '<', running)
      .where('t.is_closed', '=', 0)
      .orderBy('t.month')
      .orderBy('t.organization_id')
      .limit(AT_ONCE)
      .execute()
    for (const billed of over) await closeMonth(context, billed, now)
    return over.length === AT_ONCE
  })
