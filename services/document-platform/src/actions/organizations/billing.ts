import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import { monthOf } from '../../rules/expiration.ts'
import { addBilled } from '../../store/billed-transactions.ts'
import type { Tables } from '../../store/tables.ts'

/** Billed transaction types (document-platform facts 2). */
export type TransactionType = 'Document' | 'Envelope' | 'Signature' | 'ElectronicSignature' | 'Approval' | 'Timestamper'

/** Counts transactions in the database transaction of the change: the month's invoice is made of these counts. */
export async function countTransactions(
  { settings }: Pick<Context, 'settings'>,
  tx: Transaction<Tables>,
  organizationId: string,
  type: TransactionType,
  total: number,
  now: Date,
): Promise<void> {
  if (total === 0) return
  await addBilled(tx, { organizationId, type, month: monthOf(now, settings.Documents.DefaultTimeZone), total })
}
