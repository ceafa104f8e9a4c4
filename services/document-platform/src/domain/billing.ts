import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import type { Tables } from '../store/tables.ts'
import type { Ground } from '../wiring.ts'
import { monthOf } from './expiration.ts'

/** What is counted (facts 2). */
export type TransactionType = 'Document' | 'Envelope' | 'Signature' | 'ElectronicSignature' | 'Approval' | 'Timestamper'

/** Counts what happened, with the change that did it: the month's invoice is made of these counts. */
export async function countTransactions(
  { settings }: Pick<Ground, 'settings'>,
  tx: Transaction<Tables>,
  organizationId: string,
  type: TransactionType,
  total: number,
  now: Date,
): Promise<void> {
  if (total === 0) return
  const month = monthOf(now, settings.Documents.DefaultTimeZone)
  await tx
    .insertInto('billed_transaction')
    .values({ organization_id: organizationId, type, month, total })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'month', 'type'])
        .doUpdateSet({ total: sql`billed_transaction.total + excluded.total` }),
    )
    .execute()
}
