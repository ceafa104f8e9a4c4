import { containing, type Db } from '@chancela/service-kernel/store'
import type { Page } from '../rules/paging.ts'
import type { FolderRow, Tables } from './tables.ts'

/** Greatest depth of the folder tree: deeper ones are impractical, and every traversal ends. */
export const DEEPEST = 20

/** A folder and its ancestors, itself first; empty when it does not exist. */
export async function folderPath(db: Db<Tables>, id: string): Promise<readonly FolderRow[]> {
  const path: FolderRow[] = []
  for (let next: string | null = id; next !== null && path.length < DEEPEST; ) {
    const folder: FolderRow | undefined = await db
      .selectFrom('folder')
      .selectAll()
      .where('id', '=', next)
      .executeTakeFirst()
    if (!folder) break
    path.push(folder)
    next = folder.parent_id
  }
  return path
}

export const findFolder = (db: Db<Tables>, organizationId: string, id: string): Promise<FolderRow | undefined> =>
  db
    .selectFrom('folder')
    .selectAll()
    .where('id', '=', id.toLowerCase())
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()

/** These folders and all their descendants. */
export async function foldersBelow(db: Db<Tables>, ids: readonly string[]): Promise<readonly string[]> {
  const all = new Set(ids)
  let level: readonly string[] = [...all]
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth += 1) {
    const inner = await db.selectFrom('folder').select('id').where('parent_id', 'in', level).execute()
    level = inner.map(({ id }) => id).filter((id) => !all.has(id))
    for (const id of level) all.add(id)
  }
  return [...all]
}

/** The filter of a folder list. */
export interface FolderFilter {
  readonly organizationId: string
  /** Undefined: the whole tree. Null: the top level. */
  readonly parentId?: string | null | undefined
  /** Only these; null for all. */
  readonly ids: readonly string[] | null
  /** Part of the name, as a search key. */
  readonly text?: string | undefined
}

export interface ListedFolder extends FolderRow {
  readonly documents: number
  readonly folders: number
}

const matching = (db: Db<Tables>, { organizationId, parentId, ids, text }: FolderFilter) =>
  db
    .selectFrom('folder as f')
    .where('f.organization_id', '=', organizationId)
    .$if(typeof parentId === 'string', (query) => query.where('f.parent_id', '=', parentId!))
    .$if(parentId === null, (query) => query.where('f.parent_id', 'is', null))
    .$if(ids !== null, (query) => query.where('f.id', 'in', ids!))
    .$if(text !== undefined, (query) => query.where(containing('f.name_key', text!)))

/** A page of folders by name, each with the counts of its direct documents and folders. */
export async function listFolders(
  db: Db<Tables>,
  filter: FolderFilter,
  { limit, offset, order }: Page,
): Promise<readonly ListedFolder[]> {
  const rows = await matching(db, filter)
    .selectAll('f')
    .select((outer) => [
      outer
        .selectFrom('document as d')
        .select(({ fn }) => fn.countAll<number | string>().as('n'))
        .whereRef('d.organization_id', '=', 'f.organization_id')
        .whereRef('d.folder_id', '=', 'f.id')
        .where('d.deleted_at', 'is', null)
        .as('documents'),
      outer
        .selectFrom('folder as inner')
        .select(({ fn }) => fn.countAll<number | string>().as('n'))
        .whereRef('inner.parent_id', '=', 'f.id')
        .as('folders'),
    ])
    .orderBy('f.name_key', order)
    .orderBy('f.id', order)
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map((row) => ({ ...row, documents: Number(row.documents), folders: Number(row.folders) }))
}

export const countFolders = async (db: Db<Tables>, filter: FolderFilter): Promise<number> =>
  Number(
    (
      await matching(db, filter)
        .select(({ fn }) => fn.countAll<number | string>().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )
