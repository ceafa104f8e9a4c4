import { HOUR, MINUTE, plus } from '@chancela/service-kernel/clock'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import { closeMonth } from '../actions/organizations/invoices.ts'
import type { Context } from '../context.ts'
import { monthOf } from '../rules/expiration.ts'

const AT_ONCE = 100

/** A month is closed this long after its end: what happened in its last moment may still be on its way to the database. */
const GRACE = HOUR

/** Closes months that are over into invoices; of several instances the first one does. */
export const closeInvoices = (context: Context): Worker =>
  sweeper(context, { name: 'invoice closing failed', every: 10 * MINUTE }, async () => {
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
