// XML documents on their way to the last signature, their versions, and the files that items have.
import { type Db, move, moving } from '@chancela/service-kernel/store'
import { xmlDocumentMoves } from '../rules/moves.ts'
import type { DocumentTables } from './document-tables.ts'
import type { XmlDocumentRow, XmlVersionRow } from './signing-tables.ts'
import type { Tables } from './tables.ts'

type ItemFileRow = DocumentTables['item_file']

export async function insertDocument(db: Db<Tables>, row: XmlDocumentRow, bytes: number): Promise<void> {
  await db.insertInto('xml_document').values(row).execute()
  const { id: document_id, revision, digest, created_at } = row
  await addVersion(db, { document_id, revision, digest, bytes, step: null, signer: null, created_at })
}

const addVersion = async (db: Db<Tables>, version: XmlVersionRow): Promise<void> => {
  await db.insertInto('xml_document_version').values(version).execute()
}

export const findDocument = (db: Db<Tables>, id: string): Promise<XmlDocumentRow | undefined> =>
  db.selectFrom('xml_document').selectAll().where('id', '=', id).executeTakeFirst()

export const documentsOf = (db: Db<Tables>, ownerId: string): Promise<readonly XmlDocumentRow[]> =>
  db.selectFrom('xml_document').selectAll().where('owner_id', '=', ownerId).orderBy('id').execute()

/** Ids of the documents of an institution that are being signed. */
export async function openDocumentsOf(db: Db<Tables>, instituteId: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('xml_document')
    .select('id')
    .where('institute_id', '=', instituteId)
    .where('status', '=', 'Open')
    .execute()
  return rows.map(({ id }) => id)
}

/** What a step made of a document. */
export interface NewVersion {
  readonly digest: string
  readonly bytes: number
  readonly step: string | null
  readonly signer: string | null
}

/** The next version, closed or not; undefined where somebody else made one meanwhile, or it is no longer open. */
export async function advanceDocument(
  db: Db<Tables>,
  { id, revision }: Pick<XmlDocumentRow, 'id' | 'revision'>,
  { bytes, ...version }: NewVersion,
  isClosed: boolean,
  now: Date,
): Promise<XmlDocumentRow | undefined> {
  const at = now.toISOString()
  const set = { digest: version.digest, revision: revision + 1, error: null, updated_at: at }
  const update = isClosed
    ? moving(db, {
        table: 'xml_document',
        column: 'status',
        moves: xmlDocumentMoves,
        move: 'close',
        set: { ...set, closed_at: at },
      })
    : db.updateTable('xml_document').set(set).where('status', '=', 'Open')
  const row = await update.where('id', '=', id).where('revision', '=', revision).returningAll().executeTakeFirst()
  if (row) await addVersion(db, { ...version, bytes, document_id: id, revision: row.revision, created_at: at })
  return row as XmlDocumentRow | undefined
}

export const moveDocument = (
  db: Db<Tables>,
  id: string,
  name: Exclude<keyof typeof xmlDocumentMoves, 'close'>,
  error: string | null,
  now: Date,
): Promise<XmlDocumentRow | undefined> =>
  move(db, {
    table: 'xml_document',
    column: 'status',
    moves: xmlDocumentMoves,
    move: name,
    id,
    set: { error, updated_at: now.toISOString() },
  })

/** Says why an open document does not get on. */
export async function noteError(db: Db<Tables>, id: string, error: string, now: Date): Promise<void> {
  await db
    .updateTable('xml_document')
    .set({ error, updated_at: now.toISOString() })
    .where('id', '=', id)
    .where('status', '=', 'Open')
    .execute()
}

/** The newest version of a file of an item. */
export const newestFile = (db: Db<Tables>, itemId: string, name: string): Promise<ItemFileRow | undefined> =>
  db
    .selectFrom('item_file')
    .selectAll()
    .where('item_id', '=', itemId)
    .where('name', '=', name)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The version of a file with these bytes. */
export const fileVersion = (
  db: Db<Tables>,
  itemId: string,
  name: string,
  digest: string,
): Promise<ItemFileRow | undefined> =>
  db
    .selectFrom('item_file')
    .selectAll()
    .where('item_id', '=', itemId)
    .where('name', '=', name)
    .where('digest', '=', digest)
    .limit(1)
    .executeTakeFirst()

/** Adds a file to an item, or the next version of one. */
export async function addItemFile(
  db: Db<Tables>,
  file: Omit<ItemFileRow, 'version' | 'created_at'>,
  now: Date,
): Promise<void> {
  await addFileVersion(db, file, await newestFile(db, file.item_id, file.name), now)
}

/** Adds the version after this one; whoever comes second with it gets a unique violation. */
export async function addFileVersion(
  db: Db<Tables>,
  file: Omit<ItemFileRow, 'version' | 'created_at'>,
  after: Pick<ItemFileRow, 'version'> | undefined,
  now: Date,
): Promise<void> {
  const version = (after?.version ?? 0) + 1
  await db
    .insertInto('item_file')
    .values({ ...file, version, created_at: now.toISOString() })
    .execute()
}
