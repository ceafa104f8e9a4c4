import type { Context } from '../../context.ts'
import type { Caller } from '../../rules/caller.ts'
import { refuse } from '../../rules/refuse.ts'
import { type Operation, reachOf } from '../../rules/rights.ts'
import { findDocument, isInvolved } from '../../store/document-reads.ts'
import { folderPath } from '../../store/folder-reads.ts'
import type { DocumentRow } from '../../store/tables.ts'

/**
 * A document to which the caller may do the operation. One that the caller may not even read is unknown: another
 * organization's, one outside the caller's folders, one of colleagues. One that may only be read is forbidden.
 */
export async function requiredDocument(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  operation: Operation,
  id: string,
): Promise<DocumentRow> {
  const document = await findDocument(store.db, caller.organizationId, id)
  if (!document || !(await mayReach(store, caller, 'documents.read', document)))
    throw refuse('DocumentNotFound', { id })
  if (operation !== 'documents.read' && !(await mayReach(store, caller, operation, document)))
    throw refuse('Forbidden', { operation })
  return document
}

/** The same, and refused when the document is deleted. */
export async function requiredLiveDocument(
  context: Pick<Context, 'store'>,
  caller: Caller,
  operation: Operation,
  id: string,
): Promise<DocumentRow> {
  const document = await requiredDocument(context, caller, operation, id)
  if (document.deleted_at !== null) throw refuse('DocumentNotFound', { id })
  return document
}

/** Whether the right of a caller to an operation reaches a document of its organization. */
export async function mayReach(
  { db }: Context['store'],
  caller: Caller,
  operation: Operation,
  document: DocumentRow,
): Promise<boolean> {
  const reach = reachOf(caller, operation)
  if (reach === 'none') return false
  if (reach === 'all') return isInFolders(db, caller, document)
  if (document.created_by_type === 'User' && document.created_by_id === caller.id) return true
  return reach === 'involved' && isInvolved(db, document.id, caller.id)
}

async function isInFolders(
  db: Context['store']['db'],
  { folderIds }: Caller,
  { folder_id }: DocumentRow,
): Promise<boolean> {
  if (folderIds === null) return true
  const path = folder_id === null ? [] : await folderPath(db, folder_id)
  return path.some(({ id }) => folderIds.includes(id))
}
