import { dirname } from 'node:path'
import type { Db } from '@chancela/service-kernel/store'
import type { InputFolder } from '../../rules/input-folders.ts'
import { pathsAtWork } from '../../store/folder-places.ts'
import type { Tables } from '../../store/tables.ts'
import { readMarker } from '../../upstream/storage/folders/place-marker.ts'
import { identityAt } from '../../upstream/storage/folders/sample.ts'

/**
 * Whether a folder that is there is not the one its files were taken from: it has no hidden file, and none of the files
 * that are still needed lies in it. The empty mount point of a share is so; a folder that somebody tidied up is not.
 */
export async function isElsewhere(
  db: Db<Tables>,
  { name, path }: Pick<InputFolder, 'name' | 'path'>,
): Promise<boolean> {
  if (await readMarker(path)) return false
  const files = (await pathsAtWork(db, name)).filter((file) => dirname(file) === path)
  return files.length > 0 && files.every((file) => identityAt(file) === undefined)
}
