import { randomUUID } from 'node:crypto'
import { type Db, dialectOf, isUniqueViolation } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { Caller } from '../../rules/caller.ts'
import { refuse } from '../../rules/refuse.ts'
import { searchKey } from '../../rules/search-key.ts'
import { DEEPEST, findFolder, folderPath } from '../../store/folder-reads.ts'
import type { FolderRow, Tables } from '../../store/tables.ts'

type Tx = Transaction<Tables>

/** Destination of a request: an existing folder, a new one (inside it when both are given), or none. */
export async function placeOf(
  tx: Tx,
  caller: Caller,
  { folderId, newFolderName }: { readonly folderId?: string | null; readonly newFolderName?: string | null },
  now: Date,
): Promise<string | null> {
  if (newFolderName?.trim()) return (await newFolder(tx, caller, { name: newFolderName, parentId: folderId }, now)).id
  return (await heldFolder(tx, caller, folderId))?.id ?? null
}

/** The parent folder; null is the top level, which callers restricted to folders may not use. */
async function heldFolder(tx: Tx, caller: Caller, id: string | null | undefined): Promise<FolderRow | null> {
  if (!id) {
    if (caller.folderIds !== null) throw refuse('Forbidden', { folderId: 'is required' })
    return null
  }
  const folder = await requiredFolder(tx, caller, id)
  await holdFolder(tx, folder.id)
  return folder
}

/** A folder of the caller's organization that the caller may use. */
export async function requiredFolder(tx: Db<Tables>, caller: Caller, id: string): Promise<FolderRow> {
  const folder = await findFolder(tx, caller.organizationId, id)
  if (!folder) throw refuse('FolderNotFound', { id })
  if (caller.folderIds === null) return folder
  const path = await folderPath(tx, folder.id)
  if (path.some((each) => caller.folderIds!.includes(each.id))) return folder
  throw refuse('Forbidden', { folderId: id })
}

/** A share lock: a transaction that deletes the folder waits for this insert to commit, and so deletes its row too. */
const holdFolder = async (tx: Tx, id: string): Promise<void> => {
  if (dialectOf(tx) !== 'postgres') return
  const held = await tx.selectFrom('folder').select('id').where('id', '=', id).forShare().executeTakeFirst()
  if (!held) throw refuse('FolderNotFound', { id })
}

/** Creates a folder; names are unique among siblings. */
export async function newFolder(
  tx: Tx,
  caller: Caller,
  { name, parentId }: { readonly name: string; readonly parentId?: string | null | undefined },
  now: Date,
): Promise<FolderRow> {
  const parent = await heldFolder(tx, caller, parentId)
  if (parent !== null && (await folderPath(tx, parent.id)).length >= DEEPEST)
    throw refuse('InvalidFolderAction', { reason: `Folders stand at most ${DEEPEST} deep.` })
  const at = now.toISOString()
  const row: FolderRow = {
    id: randomUUID(),
    organization_id: caller.organizationId,
    parent_id: parent?.id ?? null,
    ...folderName(name),
    created_at: at,
    updated_at: at,
  }
  try {
    await tx.insertInto('folder').values(row).execute()
  } catch (error) {
    throw isUniqueViolation(error) ? refuse('FolderNameTaken', { name: row.name }, error) : error
  }
  return row
}

/** A folder name as it is stored, and its search key. */
export function folderName(given: string): Pick<FolderRow, 'name' | 'name_key'> {
  const name = given.trim()
  if (name === '') throw refuse('InvalidRequest', { name: 'is required' })
  return { name, name_key: searchKey(name) }
}
