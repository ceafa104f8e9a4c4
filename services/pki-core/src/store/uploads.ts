import { type Db, move } from '@chancela/service-kernel/store'
import { uploadMoves } from '../rules/upload-states.ts'
import type { UploadPartRow, UploadRow } from './document-tables.ts'
import type { Tables } from './tables.ts'

export const insertUpload = async (db: Db<Tables>, row: UploadRow): Promise<void> => {
  await db.insertInto('upload').values(row).execute()
}

/** An upload of the subscription that has not expired; those of others do not exist for it. */
export const findUpload = (
  db: Db<Tables>,
  subscriptionId: string,
  id: string,
  now: Date,
): Promise<UploadRow | undefined> =>
  db
    .selectFrom('upload')
    .selectAll()
    .where('id', '=', id)
    .where('subscription_id', '=', subscriptionId)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()

/** Makes it complete, once. */
export const completeUpload = (
  db: Db<Tables>,
  id: string,
  set: Pick<UploadRow, 'digest' | 'size'>,
): Promise<UploadRow | undefined> =>
  move(db, { table: 'upload', column: 'state', id, moves: uploadMoves, move: 'complete', set })

/** Keeps a part; one of the same number is replaced. */
export async function keepPart(db: Db<Tables>, { upload_id, position, ...part }: UploadPartRow): Promise<void> {
  await db
    .insertInto('upload_part')
    .values({ upload_id, position, ...part })
    .onConflict((conflict) => conflict.columns(['upload_id', 'position']).doUpdateSet(part))
    .execute()
}

export const partsOf = (db: Db<Tables>, uploadId: string): Promise<UploadPartRow[]> =>
  db.selectFrom('upload_part').selectAll().where('upload_id', '=', uploadId).orderBy('position').execute()

export const deleteParts = async (db: Db<Tables>, uploadId: string): Promise<void> => {
  await db.deleteFrom('upload_part').where('upload_id', '=', uploadId).execute()
}

/** Deletes up to `limit` uploads that have expired, with their parts; returns how many. */
export async function purgeUploads(db: Db<Tables>, now: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('upload')
    .select('id')
    .where('expires_at', '<=', now.toISOString())
    .orderBy('expires_at')
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('upload').where('id', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
