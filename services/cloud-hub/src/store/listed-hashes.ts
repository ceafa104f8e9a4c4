// The hashes a session is bound to.
import { type Db, dialectOf, insertRows, moving } from '@chancela/service-kernel/store'
import type { ListedHashState } from '../contract/models.ts'
import { listedHashMoves } from '../rules/listed-hash-states.ts'
import type { Tables } from './tables.ts'

/** Writes the list of a session that was authorized; all of it is open. */
export const insertList = (db: Db<Tables>, session_id: string, hashes: readonly string[]): Promise<void> =>
  insertRows<Tables>(db, { listed_hash: hashes.map((hash) => ({ session_id, hash, state: 'open' })) })

/** The state of each hash of a session's list. */
export async function listedStates(db: Db<Tables>, sessionId: string): Promise<ReadonlyMap<string, ListedHashState>> {
  const rows = await db
    .selectFrom('listed_hash')
    .select(['hash', 'state'])
    .where('session_id', '=', sessionId)
    .execute()
  return new Map(rows.map(({ hash, state }) => [hash, state]))
}

/**
 * Holds a session until the transaction ends: calls that change its list change it one after the other, so that the
 * last one sees that it is the last, and two whose hashes cross do not wait for one another for ever.
 */
export async function holdSession(tx: Db<Tables>, id: string): Promise<void> {
  if (dialectOf(tx) === 'postgres')
    await tx.selectFrom('session').select('id').where('id', '=', id).forUpdate().execute()
}

/** Moves hashes of a list; false when one of them was not in a state the move starts from. */
export async function moveListed(
  tx: Db<Tables>,
  sessionId: string,
  move: keyof typeof listedHashMoves,
  hashes: readonly string[],
): Promise<boolean> {
  const { numUpdatedRows } = await moving(tx, { table: 'listed_hash', column: 'state', moves: listedHashMoves, move })
    .where('session_id', '=', sessionId)
    .where('hash', 'in', hashes)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === BigInt(hashes.length)
}

/** Whether every hash of the list was signed. */
export async function isListSigned(tx: Db<Tables>, sessionId: string): Promise<boolean> {
  const left = tx.selectFrom('listed_hash').select('hash').where('session_id', '=', sessionId)
  return (await left.where('state', '!=', 'signed').limit(1).executeTakeFirst()) === undefined
}
