// A page of documents, and the data of each entry.
import type { Db } from '@chancela/service-kernel/store'
import { type DocumentFilter, type DocumentWindow, searchDocuments } from './document-search.ts'
import type { DocumentRow, FolderRow, Tables, TagRow } from './tables.ts'

export interface ListedDocument {
  readonly document: DocumentRow
  readonly folder: Pick<FolderRow, 'id' | 'name' | 'parent_id'> | null
  readonly tags: readonly TagRow[]
  readonly pending: readonly string[]
}

/** One page of the documents that match a filter, and their number up to the counting limit. */
export async function listDocuments(
  db: Db<Tables>,
  filter: DocumentFilter,
  window: DocumentWindow,
): Promise<{ readonly items: readonly ListedDocument[]; readonly total: number | null }> {
  const { ids, total } = await searchDocuments(db, filter, window)
  return { items: ids.length === 0 ? [] : await linesOf(db, filter.organizationId, ids), total }
}

async function linesOf(
  db: Db<Tables>,
  organizationId: string,
  ids: readonly string[],
): Promise<readonly ListedDocument[]> {
  const rows = await db
    .selectFrom('document')
    .selectAll()
    .where('id', 'in', ids)
    .where('organization_id', '=', organizationId)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const documents = ids.flatMap((id) => byId.get(id) ?? [])
  const folderIds = [...new Set(documents.flatMap(({ folder_id }) => folder_id ?? []))]
  const [folders, tags, pending] = await Promise.all([
    folderIds.length === 0 ? [] : db.selectFrom('folder').selectAll().where('id', 'in', folderIds).execute(),
    db.selectFrom('tag').selectAll().where('document_id', 'in', ids).execute(),
    db
      .selectFrom('participant as p')
      .innerJoin('flow_action as a', 'a.id', 'p.action_id')
      .select(['p.document_id', 'p.name'])
      .where('p.document_id', 'in', ids)
      .where('a.status', '=', 'Pending')
      .where('p.completed_at', 'is', null)
      .where('p.refused_at', 'is', null)
      .orderBy('p.position')
      .execute(),
  ])
  return documents.map((document) => ({
    document,
    folder: folders.find(({ id }) => id === document.folder_id) ?? null,
    tags: tags.filter(({ document_id }) => document_id === document.id),
    pending: pending.filter(({ document_id }) => document_id === document.id).map(({ name }) => name),
  }))
}
