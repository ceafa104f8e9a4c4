// Answers stored for their Idempotency-Key.
import type { Db } from '@chancela/service-kernel/store'
import type { SignatureReplayRow, Tables } from './tables.ts'

/** Primary key of a replay: one key of one session. */
type ReplayName = Pick<SignatureReplayRow, 'session_id' | 'key_hash'>

export const findReplay = (db: Db<Tables>, name: ReplayName): Promise<SignatureReplayRow | undefined> =>
  db
    .selectFrom('signature_replay')
    .selectAll()
    .where('session_id', '=', name.session_id)
    .where('key_hash', '=', name.key_hash)
    .executeTakeFirst()

/** Records that signing starts under the key; false when that was recorded before. */
export async function beginReplay(db: Db<Tables>, row: Omit<SignatureReplayRow, 'signatures'>): Promise<boolean> {
  const begun = await db
    .insertInto('signature_replay')
    .values({ ...row, signatures: null })
    .onConflict((conflict) => conflict.columns(['session_id', 'key_hash']).doNothing())
    .returning('key_hash')
    .executeTakeFirst()
  return begun !== undefined
}

export async function keepReplay(db: Db<Tables>, name: ReplayName, signatures: readonly string[]): Promise<void> {
  await db
    .updateTable('signature_replay')
    .set({ signatures: JSON.stringify(signatures) })
    .where('session_id', '=', name.session_id)
    .where('key_hash', '=', name.key_hash)
    .execute()
}

/** Nothing was signed: the key may be used again. */
export async function forgetReplay(db: Db<Tables>, name: ReplayName): Promise<void> {
  await db
    .deleteFrom('signature_replay')
    .where('session_id', '=', name.session_id)
    .where('key_hash', '=', name.key_hash)
    .execute()
}
