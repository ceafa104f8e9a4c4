import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errnoOf } from '../local/disk-errors.ts'

/** The path with links resolved, as far as it exists: two paths to one folder must not count as two folders. */
export async function canonicalPath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' || dirname(path) === path) throw error
    return join(await canonicalPath(dirname(path)), basename(path))
  }
}
