import type { Context } from '../../context.ts'
import type { Caller } from '../../rules/caller.ts'
import { refuse } from '../../rules/refuse.ts'
import type { UploadRow } from '../../store/tables.ts'
import { unexpiredUploads } from '../../store/upload-reads.ts'

/**
 * The uploads of these ids, in their order; refuses when one is missing or belongs to another organization. Also
 * refuses an expired upload that has not been swept yet: its bytes may be deleted at any moment.
 */
export async function requiredUploads(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  { organizationId }: Pick<Caller, 'organizationId'>,
  ids: readonly string[],
): Promise<readonly UploadRow[]> {
  if (ids.length === 0) return []
  const wanted = ids.map((id) => id.toLowerCase())
  const rows = await unexpiredUploads(store.db, { ids: wanted, organizationId, now: clock().toISOString() })
  const found = new Map(rows.map((row) => [row.id, row]))
  return wanted.map((id) => {
    const upload = found.get(id)
    if (!upload) throw refuse('UploadNotFound', { id })
    return upload
  })
}
