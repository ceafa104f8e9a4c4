import type { Db } from '@chancela/service-kernel/store'
import type { Tables } from './tables.ts'

/** Every table whose `digest` refers to bytes. Whoever adds one names it here, or its bytes are swept. */
export const blobTables = ['item_file', 'batch', 'xml_document', 'xml_document_version', 'archive'] as const

/** The digests among these that a row refers to. */
export async function referencedBlobs(db: Db<Tables>, digests: readonly string[]): Promise<ReadonlySet<string>> {
  if (digests.length === 0) return new Set()
  const found = await Promise.all(
    blobTables.map((table) => db.selectFrom(table).select('digest').where('digest', 'in', digests).execute()),
  )
  return new Set(found.flat().map(({ digest }) => digest))
}

/** Takes the turn to sweep, for one of several processes: false while the last sweep is recent. */
export async function takeSweep(db: Db<Tables>, before: Date, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('blob_sweep')
    .set({ swept_at: now.toISOString() })
    .where('id', '=', 1)
    .where('swept_at', '<', before.toISOString())
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
