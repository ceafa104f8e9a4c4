// Folders as the API shows them (document-platform facts 1.3).
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { FolderInfo, listFolders as listRoute } from '../../contract/folders.ts'
import { type Caller, requireOrganization } from '../../rules/caller.ts'
import { pageOf, textOf } from '../../rules/paging.ts'
import { refuse } from '../../rules/refuse.ts'
import { searchKey } from '../../rules/search-key.ts'
import { countFolders, type FolderFilter, folderPath, foldersBelow, listFolders } from '../../store/folder-reads.ts'
import { membersOf } from '../../store/member-reads.ts'
import { organizationInfo, scopesOf } from '../../store/organization-reads.ts'
import type { FolderRow } from '../../store/tables.ts'
import { requiredFolder } from './folders.ts'

type Query = Static<typeof listRoute.query>

/** A page of the folders a caller may use. */
export async function listedFolders({ store: { db } }: Context, caller: Caller, query: Query) {
  const filter = await filterOf(db, caller, query)
  const page = pageOf(query)
  const [items, totalCount] = await Promise.all([listFolders(db, filter, page), countFolders(db, filter)])
  return { items: items.map(folderInfo), totalCount, nextCursor: null }
}

async function filterOf(db: Context['store']['db'], caller: Caller, query: Query): Promise<FolderFilter> {
  const { filterByParent, parentId, organizationId = caller.organizationId } = query
  const of = {
    organizationId: requireOrganization(caller, organizationId),
    text: searchKey(textOf(query) ?? '') || undefined,
  }
  if (parentId) return { ...of, parentId: (await requiredFolder(db, caller, parentId)).id, ids: null }
  if (caller.folderIds === null) return { ...of, ids: null, ...(filterByParent && { parentId: null }) }
  // The top level of a restricted caller consists of the folders it has access to.
  return { ...of, ids: filterByParent ? caller.folderIds : await foldersBelow(db, caller.folderIds) }
}

/** One folder with its counts. */
export async function oneFolder({ store: { db } }: Context, { id, organization_id }: FolderRow) {
  const [row] = await listFolders(
    db,
    { organizationId: organization_id, ids: [id] },
    { limit: 1, offset: 0, order: 'asc' },
  )
  if (!row) throw refuse('FolderNotFound', { id })
  return folderInfo(row)
}

const folderInfo = (row: FolderRow & { documents: number; folders: number }): Static<typeof FolderInfo> => ({
  id: row.id,
  name: row.name,
  parentId: row.parent_id,
  creationDate: row.created_at,
  updateDate: row.updated_at,
  documents: row.documents,
  folders: row.folders,
})

export async function folderWithOrganization({ store: { db } }: Context, caller: Caller, id: string) {
  const folder = await requiredFolder(db, caller, id)
  const organization = await organizationInfo(db, folder.organization_id)
  return { id: folder.id, name: folder.name, parentId: folder.parent_id, organization: organization! }
}

/** Who can access a folder: the users of the organization, and the applications not restricted to other folders. */
export async function folderAccesses({ store: { db } }: Context, caller: Caller, id: string) {
  const folder = await requiredFolder(db, caller, id)
  const path = (await folderPath(db, folder.id)).map((each) => each.id)
  const members = await membersOf(db, folder.organization_id)
  const scopes = await scopesOf(db, folder.organization_id)
  const reaches = (folderIds: string | null) =>
    folderIds === null || (JSON.parse(folderIds) as string[]).some((each) => path.includes(each))
  return {
    id: folder.id,
    name: folder.name,
    folderAccesses: [
      ...members.map((member) => ({ id: member.id, name: member.name, type: 'User', role: folderRole(member) })),
      ...scopes
        .filter(({ folder_ids }) => reaches(folder_ids))
        .map(({ application_id, name }) => ({ id: application_id, name, type: 'Application', role: 'Admin' })),
    ],
  }
}

const folderRole = ({ administrator, manager }: { administrator: number; manager: number }): string =>
  administrator === 1 ? 'Admin' : manager === 1 ? 'Manager' : 'Basic'
