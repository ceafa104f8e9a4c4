import { type Db, insertRows, move } from '@chancela/service-kernel/store'
import { preparedSignatureMoves } from '../rules/signature-states.ts'
import type { PreparedSignatureRow } from './document-tables.ts'
import type { Tables } from './tables.ts'

export const insertPrepared = (db: Db<Tables>, row: PreparedSignatureRow): Promise<void> =>
  insertRows(db, { prepared_signature: [row] })

/** One of the subscription that has not expired, whatever its state. */
export const findPrepared = (
  db: Db<Tables>,
  subscriptionId: string,
  id: string,
  now: Date,
): Promise<PreparedSignatureRow | undefined> =>
  db
    .selectFrom('prepared_signature')
    .selectAll()
    .where('id', '=', id)
    .where('subscription_id', '=', subscriptionId)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()

/** Ends it, once. */
export const endPrepared = (db: Db<Tables>, id: string): Promise<PreparedSignatureRow | undefined> =>
  move(db, { table: 'prepared_signature', column: 'state', id, moves: preparedSignatureMoves, move: 'complete' })

/** Deletes up to `limit` that have expired; returns how many. */
export async function purgePrepared(db: Db<Tables>, now: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('prepared_signature')
    .select('id')
    .where('expires_at', '<=', now.toISOString())
    .orderBy('expires_at')
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('prepared_signature').where('id', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
