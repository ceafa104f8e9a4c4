import { type Db, insertRows } from '@chancela/service-kernel/store'
import type { DocumentKeyRow, DocumentRow, DocumentSignerRow } from './document-tables.ts'
import type { Tables } from './tables.ts'

/** A document of the subscription; those of others do not exist for it. */
export const findDocument = (db: Db<Tables>, subscriptionId: string, id: string): Promise<DocumentRow | undefined> =>
  db
    .selectFrom('document')
    .selectAll()
    .where('id', '=', id)
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst()

/** Whether there is a document with this id, in any subscription. */
export const isDocument = async (db: Db<Tables>, id: string): Promise<boolean> =>
  (await db.selectFrom('document').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/** A document of the subscription by its key. */
export const findByKey = (db: Db<Tables>, subscriptionId: string, key: string): Promise<DocumentRow | undefined> =>
  db
    .selectFrom('document')
    .selectAll()
    .where('key', '=', key)
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst()

/** The document of a key, for whoever has the key. */
export const findByPublicKey = (db: Db<Tables>, key: string): Promise<DocumentRow | undefined> =>
  db.selectFrom('document').selectAll().where('key', '=', key).executeTakeFirst()

/** The newest document of the subscription whose signed file has these bytes. */
export const findBySignedDigest = (
  db: Db<Tables>,
  subscriptionId: string,
  digest: string,
): Promise<DocumentRow | undefined> =>
  db
    .selectFrom('document')
    .selectAll()
    .where('signed_digest', '=', digest)
    .where('subscription_id', '=', subscriptionId)
    .orderBy('created_at', 'desc')
    .executeTakeFirst()

export const signersOf = (db: Db<Tables>, documentId: string): Promise<DocumentSignerRow[]> =>
  db.selectFrom('document_signer').selectAll().where('document_id', '=', documentId).orderBy('position').execute()

/** A document, everybody who signed it, and its key where that is a new one. */
export interface DocumentRows {
  readonly document: DocumentRow
  readonly signers: readonly DocumentSignerRow[]
  readonly newKey: DocumentKeyRow | undefined
}

export const insertDocument = (db: Db<Tables>, { document, signers, newKey }: DocumentRows): Promise<void> =>
  insertRows(db, {
    document: [document],
    document_signer: signers,
    ...(newKey && { document_key: [newKey] }),
  })

/** Returns the document as it is then; undefined when there is none. */
export const replaceMetadata = (
  db: Db<Tables>,
  subscriptionId: string,
  id: string,
  metadata: string,
): Promise<DocumentRow | undefined> =>
  db
    .updateTable('document')
    .set({ metadata })
    .where('id', '=', id)
    .where('subscription_id', '=', subscriptionId)
    .returningAll()
    .executeTakeFirst()

/** Whether there was one. */
export async function removeDocument(db: Db<Tables>, subscriptionId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('document')
    .where('id', '=', id)
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

type DocumentFile = 'original' | 'signed'

/** One of the files of a document. */
export const fileOf = (row: DocumentRow, which: DocumentFile) => ({
  digest: row[`${which}_digest`],
  size: row[`${which}_size`],
  name: row[`${which}_name`],
  contentType: row[`${which}_type`],
})

/** The file of a document that a link is for; undefined when the document is gone. */
export async function linkedDocumentFile(db: Db<Tables>, { kind, id }: { kind: string; id: string }) {
  const row = await db.selectFrom('document').selectAll().where('id', '=', id).executeTakeFirst()
  return row && { ...fileOf(row, kind as DocumentFile), subscriptionId: row.subscription_id }
}
