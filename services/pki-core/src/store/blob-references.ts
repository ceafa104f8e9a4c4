import type { Db } from '@chancela/service-kernel/store'
import type { Tables } from './tables.ts'

/** Every column that refers to bytes. Whoever adds one names it here, or its bytes are swept. */
const columns = [
  ['upload', 'digest'],
  ['upload_part', 'digest'],
  ['document', 'original_digest'],
  ['document', 'signed_digest'],
  ['prepared_signature', 'file_digest'],
  ['prepared_signature', 'extra_digest'],
  ['earlier_signature', 'file_digest'],
  ['earlier_signature', 'extra_digest'],
  ['signature_session', 'extra_digest'],
  ['signature_session_document', 'file_digest'],
  ['signature_session_document', 'extra_digest'],
] as const satisfies readonly (readonly [keyof Tables, string])[]

/** The digests among these that a row refers to. */
export async function referencedBlobs(db: Db<Tables>, digests: readonly string[]): Promise<ReadonlySet<string>> {
  if (digests.length === 0) return new Set()
  const found = await Promise.all(
    columns.map(([table, column]) =>
      db
        .selectFrom(table as 'upload_part')
        .select(`${column as 'digest'} as digest`)
        .where(column as 'digest', 'in', digests)
        .execute(),
    ),
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
