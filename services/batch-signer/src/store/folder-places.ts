import type { Db } from '@chancela/service-kernel/store'
import { sql } from 'kysely'
import type { Place } from '../rules/folder-place.ts'
import type { Tables } from './tables.ts'

/** What the database knows of a place, and since when. */
export const findPlace = (db: Db<Tables>, id: string): Promise<(Place & { readonly at: string }) | undefined> =>
  db.selectFrom('folder_place').select(['id', 'sequence', 'at']).where('id', '=', id).executeTakeFirst()

/** Whether files of the folder have become jobs, or it was seen with a hidden file. */
export async function hasSeenFolder(db: Db<Tables>, folder: string): Promise<boolean> {
  const place = await db.selectFrom('folder_place').select('id').where('folder', '=', folder).executeTakeFirst()
  if (place) return true
  const counts = await db.selectFrom('input_folder').select('name').where('name', '=', folder).executeTakeFirst()
  return counts !== undefined
}

/** Remembers a place, or how far it has come. */
export async function putPlace(db: Db<Tables>, folder: string, { id, sequence }: Place, at: string): Promise<void> {
  await db
    .insertInto('folder_place')
    .values({ id, folder, sequence, at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ folder, sequence }))
    .execute()
}

/** Counts one more verdict of a place; undefined when it is unknown. */
export async function raisePlace(db: Db<Tables>, id: string): Promise<Place | undefined> {
  return db
    .updateTable('folder_place')
    .set({ sequence: sql`sequence + 1` })
    .where('id', '=', id)
    .returning(['id', 'sequence'])
    .executeTakeFirst()
}

/** Files looked at to tell whether a folder is the one they were taken from. */
const MOST_LOOKED_AT = 100

/** Paths of files of a folder that are still to be read, or removed after their job. */
export async function pathsAtWork(db: Db<Tables>, folder: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('job')
    .select('original_path')
    .where('input_folder', '=', folder)
    .where((job) => job.or([job('status', 'in', ['Queued', 'Processing']), job('input_disposal', '=', 'pending')]))
    .limit(MOST_LOOKED_AT)
    .execute()
  return rows.flatMap(({ original_path }) => original_path ?? [])
}
