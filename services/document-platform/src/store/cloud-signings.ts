import type { Db } from '@chancela/service-kernel/store'
import type { CloudOutcome } from '../contract/cloud-signing.ts'
import type { CloudSigningRow, Tables } from './tables.ts'

export const keepCloudSigning = async (db: Db<Tables>, row: CloudSigningRow): Promise<void> => {
  await db.insertInto('cloud_signing').values(row).execute()
}

export const findCloudSigning = (
  db: Db<Tables>,
  { id, nonceHash }: { readonly id: string; readonly nonceHash: string },
): Promise<CloudSigningRow | undefined> =>
  db.selectFrom('cloud_signing').selectAll().where('id', '=', id).where('nonce_hash', '=', nonceHash).executeTakeFirst()

/** Marks a signing as taken; true for the first call only. */
export async function takeCloudSigning(db: Db<Tables>, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('cloud_signing')
    .set({ taken_at: now.toISOString() })
    .where('id', '=', id)
    .where('taken_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const endCloudSigning = async (db: Db<Tables>, id: string, outcome: CloudOutcome): Promise<void> => {
  await db.updateTable('cloud_signing').set({ outcome }).where('id', '=', id).execute()
}
