// Changes to the folder tree: rename, move without cycles, delete with or without content.
import { changesOf } from '@chancela/service-kernel/events'
import { dialectOf, isUniqueViolation } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type {
  changeFolder as changeRoute,
  deleteFolder as deleteRoute,
  folderDeleteActions,
} from '../../contract/folders.ts'
import { recordAct } from '../../parts/audit/record-act.ts'
import type { Caller } from '../../rules/caller.ts'
import { refuse } from '../../rules/refuse.ts'
import { DEEPEST, folderPath, foldersBelow } from '../../store/folder-reads.ts'
import type { DocumentRow, FolderRow, Tables } from '../../store/tables.ts'
import { timelineRow } from '../../store/timeline-rows.ts'
import { deleteDocuments } from '../documents/end-documents.ts'
import { folderName, newFolder, requiredFolder } from './folders.ts'

type Tx = Transaction<Tables>

/** Renames a folder, and moves it when the request names a parent; null is the top level. */
export async function changeFolder(
  context: Context,
  caller: Caller,
  id: string,
  { name, parentId }: Static<typeof changeRoute.body>,
  now: Date,
): Promise<FolderRow> {
  return context.store.transaction(async (tx) => {
    await lockTree(tx, caller)
    const folder = await requiredFolder(tx, caller, id)
    const parent = parentId === undefined ? folder.parent_id : await newParent(tx, caller, folder, parentId)
    const changed = { ...folderName(name), parent_id: parent, updated_at: now.toISOString() }
    await placing(name, () => tx.updateTable('folder').set(changed).where('id', '=', folder.id).execute())
    const differing = changesOf(auditedOf(folder), auditedOf({ ...folder, ...changed }))
    const subject = { kind: 'folder', id: folder.id, name: folder.name }
    if (differing) await recordAct(context, tx, caller, { kind: 'FolderChanged', subject, ...differing }, now)
    return { ...folder, ...changed }
  })
}

const auditedOf = ({ name, parent_id }: FolderRow) => ({ name, parentId: parent_id })

/** Creates a folder by itself, and not for a document that comes into it. */
export const createFolder = (
  context: Context,
  caller: Caller,
  wanted: Parameters<typeof newFolder>[2],
  now: Date,
): Promise<FolderRow> =>
  context.store.transaction(async (tx) => {
    const folder = await newFolder(tx, caller, wanted, now)
    const subject = { kind: 'folder', id: folder.id, name: folder.name }
    await recordAct(context, tx, caller, { kind: 'FolderCreated', subject, after: auditedOf(folder) }, now)
    return folder
  })

// On PostgreSQL two concurrent moves, each valid alone, could create a cycle; on SQLite transactions are serialized.
const lockTree = async (tx: Tx, { organizationId }: Caller): Promise<void> => {
  if (dialectOf(tx) !== 'postgres') return
  await tx.selectFrom('organization').select('id').where('id', '=', organizationId).forUpdate().execute()
}

async function newParent(tx: Tx, caller: Caller, folder: FolderRow, parentId: string | null): Promise<string | null> {
  if (parentId === null) {
    if (caller.folderIds !== null) throw refuse('Forbidden', { parentId: 'is required' })
    return null
  }
  const parent = await requiredFolder(tx, caller, parentId)
  const above = await folderPath(tx, parent.id)
  if (above.some(({ id }) => id === folder.id))
    throw refuse('InvalidFolderAction', { reason: 'A folder cannot be moved into itself.' })
  if (above.length + (await heightOf(tx, folder.id)) > DEEPEST)
    throw refuse('InvalidFolderAction', { reason: `Folders stand at most ${DEEPEST} deep.` })
  return parent.id
}

/** Number of levels in a folder's subtree, itself included. */
async function heightOf(tx: Tx, id: string): Promise<number> {
  let height = 0
  for (let level = [id]; level.length > 0; height += 1)
    level = (await tx.selectFrom('folder').select('id').where('parent_id', 'in', level).execute()).map((row) => row.id)
  return height
}

async function placing(name: string, place: () => Promise<unknown>): Promise<void> {
  try {
    await place()
  } catch (error) {
    throw isUniqueViolation(error) ? refuse('FolderNameTaken', { name: name.trim() }, error) : error
  }
}

interface Deletion {
  readonly context: Context
  readonly tx: Tx
  readonly caller: Caller
  readonly folder: FolderRow
  /** The folder and all its descendants. */
  readonly ids: readonly string[]
  readonly destination: string | null | undefined
  readonly now: Date
}

const deleteActions: Readonly<Record<(typeof folderDeleteActions)[number], (deletion: Deletion) => Promise<void>>> = {
  DeleteContent: async ({ context, tx, caller, ids, now }) => {
    const documents = await documentsIn(tx, ids)
    await deleteDocuments(context, tx, documents, caller, 'DeletedByFolder', now)
    await tx.deleteFrom('folder').where('id', 'in', ids).execute()
  },
  MoveContent: async (deletion) => {
    const { tx, folder } = deletion
    const destination = await destinationOf(deletion)
    await placing(folder.name, () =>
      tx.updateTable('folder').set({ parent_id: destination }).where('parent_id', '=', folder.id).execute(),
    )
    await moveAll(deletion, destination)
    await tx.deleteFrom('folder').where('id', '=', folder.id).execute()
  },
}

async function deleteEmpty({ tx, folder, ids }: Deletion): Promise<void> {
  const [document] = await documentsIn(tx, [folder.id], 1)
  if (document || ids.length > 1) throw refuse('InvalidFolderAction', { reason: 'The folder is not empty.' })
  await tx.deleteFrom('folder').where('id', '=', folder.id).execute()
}

/** Deletes a folder; without an option for its content only when it is empty. */
export async function deleteFolder(
  context: Context,
  caller: Caller,
  id: string,
  { deleteAction, destinationFolderId: destination }: Static<typeof deleteRoute.body>,
  now: Date,
): Promise<void> {
  if (destination && deleteAction !== 'MoveContent')
    throw refuse('InvalidFolderAction', { field: 'destinationFolderId', reason: 'is for MoveContent' })
  await context.store.transaction(async (tx) => {
    await lockTree(tx, caller)
    const folder = await requiredFolder(tx, caller, id)
    const ids = await foldersBelow(tx, [folder.id])
    await holdAll(tx, ids)
    const deletion = { context, tx, caller, folder, ids, destination, now }
    await (deleteAction ? deleteActions[deleteAction] : deleteEmpty)(deletion)
    const subject = { kind: 'folder', id: folder.id, name: folder.name }
    const before = { deleteAction: deleteAction ?? null, folders: ids.length }
    const deleted = { kind: 'FolderDeleted', organizationId: caller.organizationId, actor: caller } as const
    await context.audit.record(tx, { ...deleted, subject, before }, now)
  })
}

/** Waits for transactions that are adding documents to the folders, so that those documents are included. */
const holdAll = async (tx: Tx, ids: readonly string[]): Promise<void> => {
  if (dialectOf(tx) === 'postgres')
    await tx.selectFrom('folder').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute()
}

const documentsIn = (tx: Tx, ids: readonly string[], most?: number): Promise<DocumentRow[]> =>
  tx
    .selectFrom('document')
    .selectAll()
    .where('folder_id', 'in', ids)
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .$if(most !== undefined, (query) => query.limit(most!))
    .execute()

async function destinationOf({ tx, caller, ids, destination }: Deletion): Promise<string | null> {
  if (!destination) {
    if (caller.folderIds !== null) throw refuse('Forbidden', { destinationFolderId: 'is required' })
    return null
  }
  const folder = await requiredFolder(tx, caller, destination)
  if (ids.includes(folder.id)) throw refuse('InvalidFolderAction', { reason: 'The destination is inside the folder.' })
  return folder.id
}

async function moveAll({ tx, caller, folder, now }: Deletion, destination: string | null): Promise<void> {
  const moved = await tx
    .updateTable('document')
    .set({ folder_id: destination, updated_at: now.toISOString() })
    .where('folder_id', '=', folder.id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .execute()
  const lines = moved.map(({ id }) => timelineRow({ documentId: id, type: 'Moved', agent: caller }, now))
  for (let from = 0; from < lines.length; from += 500)
    await tx
      .insertInto('timeline')
      .values(lines.slice(from, from + 500))
      .execute()
}
