import type { Db } from '@chancela/service-kernel/store'
import type { Tables } from './tables.ts'

/** The blobs among these that an upload, a document, a template or an open generation refers to; documents deleted before `keptSince` do not count. */
export async function referencedBlobs(
  db: Db<Tables>,
  digests: readonly string[],
  keptSince: Date,
): Promise<ReadonlySet<string>> {
  if (digests.length === 0) return new Set()
  const since = keptSince.toISOString()
  const documents = (column: 'original_digest' | 'current_digest') =>
    db
      .selectFrom('document')
      .select(`${column} as digest`)
      .where(column, 'in', digests)
      .where((where) => where.or([where('deleted_at', 'is', null), where('deleted_at', '>', since)]))
      .execute()
  const openGenerations = (column: 'template_digest' | 'data_digest') =>
    db
      .selectFrom('generation')
      .select(`${column} as digest`)
      .where(column, 'in', digests)
      .where('status', 'in', ['Created', 'Processing'])
      .execute()
  const found = await Promise.all([
    db.selectFrom('upload').select('digest').where('digest', 'in', digests).execute(),
    documents('original_digest'),
    documents('current_digest'),
    db
      .selectFrom('attachment as a')
      .innerJoin('document as d', 'd.id', 'a.document_id')
      .select('a.digest')
      .where('a.digest', 'in', digests)
      .where((where) => where.or([where('d.deleted_at', 'is', null), where('d.deleted_at', '>', since)]))
      .execute(),
    db.selectFrom('document_template').select('digest').where('digest', 'in', digests).execute(),
    openGenerations('template_digest'),
    openGenerations('data_digest'),
  ])
  return new Set(found.flat().map(({ digest }) => digest))
}
