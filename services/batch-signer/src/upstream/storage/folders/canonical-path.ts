import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errnoOf } from '../local/disk-errors.ts'

/** The path without links in it, as far as it exists: two ways to one folder must not pass for two folders. */
export async function canonicalPath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' || dirname(path) === path) throw error
    return join(await canonicalPath(dirname(path)), basename(path))
  }
}
