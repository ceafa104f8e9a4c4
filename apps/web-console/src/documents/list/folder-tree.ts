import type { Folder } from '../api/types.ts'

/** A folder with what lies below it. */
export interface FolderNode {
  readonly folder: Folder
  readonly children: readonly FolderNode[]
}

/** The folders as a tree, sorted by name; a folder whose parent is missing becomes a root. */
export function folderTree(folders: readonly Folder[], language: string): readonly FolderNode[] {
  const known = new Set(folders.map(({ id }) => id))
  const placeOf = ({ parentId }: Folder) => (parentId !== null && known.has(parentId) ? parentId : null)
  const below = (parentId: string | null): FolderNode[] =>
    folders
      .filter((folder) => placeOf(folder) === parentId)
      .toSorted((one, other) => one.name.localeCompare(other.name, language))
      .map((folder) => ({ folder, children: below(folder.id) }))
  return below(null)
}

/** A folder in a list of choices: how deep it lies, and its name. */
export interface FolderChoice {
  readonly value: string
  readonly label: string
}

/** The tree as a flat list, each name prefixed with its path; without `except` and its descendants. */
export function folderChoices(nodes: readonly FolderNode[], except?: string, above = ''): readonly FolderChoice[] {
  return nodes
    .filter(({ folder }) => folder.id !== except)
    .flatMap(({ folder, children }) => {
      const label = `${above}${folder.name}`
      return [{ value: folder.id, label }, ...folderChoices(children, except, `${label} / `)]
    })
}

/** The folders from the top to this one. */
export function pathTo(folders: readonly Folder[], id: string): readonly Folder[] {
  const found = folders.find((folder) => folder.id === id)
  if (!found) return []
  return [...(found.parentId === null ? [] : pathTo(folders, found.parentId)), found]
}
