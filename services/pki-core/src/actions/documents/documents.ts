import type { DocumentView } from '../../contract/documents.ts'
import { readDocumentKey } from '../../rules/document-key.ts'
import { readMetadata } from '../../rules/metadata.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import type { DocumentRow } from '../../store/document-tables.ts'
import { findByKey, findDocument, removeDocument, replaceMetadata } from '../../store/documents.ts'
import { isProcessed as isProcessedDocument } from '../../store/sessions.ts'
import { type DocumentDependencies, documentView } from './document-view.ts'

/** A document of the caller's subscription. */
export async function requiredDocument(
  { context }: Pick<DocumentDependencies, 'context'>,
  { subscriptionId }: Pick<Caller, 'subscriptionId'>,
  id: string,
): Promise<DocumentRow> {
  const row = await findDocument(context.store.db, subscriptionId, id.toLowerCase())
  if (row) return row
  const isProcessed = await isProcessedDocument(context.store.db, subscriptionId, id.toLowerCase())
  throw refuse(isProcessed ? 'BackgroundProcessing' : 'DocumentNotFound', { id })
}

export const readOne = async (dependencies: DocumentDependencies, caller: Caller, id: string, base: string) =>
  documentView(dependencies, await requiredDocument(dependencies, caller, id), base)

export async function readByKey(
  dependencies: DocumentDependencies,
  { subscriptionId }: Caller,
  text: string,
  base: string,
): Promise<{ found: boolean; document: DocumentView | null }> {
  const key = readDocumentKey(text)
  const row = key && (await findByKey(dependencies.context.store.db, subscriptionId, key))
  return row ? { found: true, document: await documentView(dependencies, row, base) } : { found: false, document: null }
}

export async function setMetadata(
  dependencies: DocumentDependencies,
  { subscriptionId }: Caller,
  id: string,
  given: Readonly<Record<string, readonly string[] | null>>,
  base: string,
): Promise<DocumentView> {
  const metadata = JSON.stringify(readMetadata(given, 'metadata'))
  const row = await replaceMetadata(dependencies.context.store.db, subscriptionId, id.toLowerCase(), metadata)
  if (!row) throw refuse('DocumentNotFound', { id })
  return documentView(dependencies, row, base)
}

/** The bytes go with the next sweep, unless another document has the same. */
export async function remove({ context }: DocumentDependencies, { subscriptionId }: Caller, id: string): Promise<void> {
  if (!(await removeDocument(context.store.db, subscriptionId, id.toLowerCase())))
    throw refuse('DocumentNotFound', { id })
}
