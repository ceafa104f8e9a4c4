import type { Context } from '../../context.ts'
import type { Caller } from '../../rules/caller.ts'
import { refuse } from '../../rules/refuse.ts'
import { findDocument } from '../../store/document-reads.ts'
import { folderPath } from '../../store/folder-reads.ts'
import type { DocumentRow } from '../../store/tables.ts'

/** A document the caller may see; one of another organization or outside the caller's folders is not found. */
export async function requiredDocument(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  id: string,
): Promise<DocumentRow> {
  const document = await findDocument(store.db, caller.organizationId, id)
  if (!document || !(await maySee(store, caller, document))) throw refuse('DocumentNotFound', { id })
  return document
}

/** The same, and refused when the document is deleted. */
export async function requiredLiveDocument(
  context: Pick<Context, 'store'>,
  caller: Caller,
  id: string,
): Promise<DocumentRow> {
  const document = await requiredDocument(context, caller, id)
  if (document.deleted_at !== null) throw refuse('DocumentNotFound', { id })
  return document
}

async function maySee({ db }: Context['store'], caller: Caller, document: DocumentRow): Promise<boolean> {
  if (caller.folderIds === null) return true
  const path = document.folder_id === null ? [] : await folderPath(db, document.folder_id)
  return path.some(({ id }) => caller.folderIds!.includes(id))
}
