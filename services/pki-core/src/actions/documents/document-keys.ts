// Keys that are given out before there is a document, so that they can be printed on it (pki-core facts 4.2).
import { invalidField } from '@chancela/service-kernel/errors'
import type { Static } from 'typebox'
import type { allocateDocumentKeys, readDocumentKey as readRoute } from '../../contract/documents.ts'
import { formattedKey, newDocumentKey, readDocumentKey } from '../../rules/document-key.ts'
import { readMetadata } from '../../rules/metadata.ts'
import type { Caller } from '../../rules/rights.ts'
import { findKey, insertKeys, unusedKeys } from '../../store/document-keys.ts'
import { findDocument } from '../../store/documents.ts'
import { type DocumentDependencies, documentView } from './document-view.ts'

const keyView = (key: string) => ({ key, formattedKey: formattedKey(key) })

export async function allocate(
  { context }: DocumentDependencies,
  { subscriptionId, applicationId }: Caller,
  { count, provisionalMetadata }: Static<typeof allocateDocumentKeys.body>,
  now: Date,
) {
  const metadata = provisionalMetadata ? readMetadata(provisionalMetadata, 'provisionalMetadata') : null
  const keys = Array.from({ length: count }, newDocumentKey)
  const owner = { subscription_id: subscriptionId, application_id: applicationId }
  await context.store.transaction((tx) => insertKeys(tx, keys, owner, metadata, now))
  return keys.map(keyView)
}

type KeyAnswer = Static<typeof readRoute.answer>

const UNKNOWN: KeyAnswer = {
  found: false,
  formattedKey: null,
  hasDocument: false,
  provisionalMetadata: null,
  document: null,
}

export async function readKey(
  dependencies: DocumentDependencies,
  { subscriptionId }: Caller,
  text: string,
  base: string,
): Promise<KeyAnswer> {
  const { db } = dependencies.context.store
  const key = readDocumentKey(text)
  const row = key && (await findKey(db, subscriptionId, key))
  if (!row) return UNKNOWN
  const document = row.document_id === null ? undefined : await findDocument(db, subscriptionId, row.document_id)
  return {
    found: true,
    formattedKey: formattedKey(row.key),
    hasDocument: document !== undefined,
    provisionalMetadata: row.provisional_metadata && JSON.parse(row.provisional_metadata),
    document: document ? await documentView(dependencies, document, base) : null,
  }
}

const MOST_LISTED = 1000

export async function listUnused(
  { context }: DocumentDependencies,
  { subscriptionId }: Caller,
  { metadataName, metadataValue }: { readonly metadataName?: string; readonly metadataValue?: string },
) {
  if (metadataValue !== undefined && metadataName === undefined) throw invalidField('metadataName', 'is required')
  const by = { name: metadataName, value: metadataValue }
  return (await unusedKeys(context.store.db, subscriptionId, by, MOST_LISTED)).map(keyView)
}
