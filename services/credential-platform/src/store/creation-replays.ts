// Answers to creations, kept for their Idempotency-Key.
import type { Db } from '@chancela/service-kernel/store'
import type { Tables } from './tables.ts'
import type { CreationReplayRow } from './tenant-tables.ts'

export const findReplay = (
  db: Db<Tables>,
  { subscription_id, key_hash }: Pick<CreationReplayRow, 'subscription_id' | 'key_hash'>,
): Promise<CreationReplayRow | undefined> =>
  db
    .selectFrom('creation_replay')
    .selectAll()
    .where('subscription_id', '=', subscription_id)
    .where('key_hash', '=', key_hash)
    .executeTakeFirst()

/** In the transaction of the creation; of two at once the second violates the key, and its creation with it. */
export const keepReplay = async (db: Db<Tables>, row: CreationReplayRow): Promise<void> => {
  await db.insertInto('creation_replay').values(row).execute()
}

const SWEPT_AT_ONCE = 1000

/** True while there may be more. */
export async function sweepReplays(db: Db<Tables>, before: Date): Promise<boolean> {
  const old = db
    .selectFrom('creation_replay')
    .select(['subscription_id', 'key_hash'])
    .where('created_at', '<', before.toISOString())
    .limit(SWEPT_AT_ONCE)
  const rows = await old.execute()
  for (const { subscription_id, key_hash } of rows)
    await db
      .deleteFrom('creation_replay')
      .where('subscription_id', '=', subscription_id)
      .where('key_hash', '=', key_hash)
      .execute()
  return rows.length === SWEPT_AT_ONCE
}
