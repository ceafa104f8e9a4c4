import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Place } from '../../../rules/folder-place.ts'
import { PLACE_MARKER } from '../../../rules/ignore-rules.ts'
import { errnoOf } from '../local/disk-errors.ts'
import { FILE_MODE } from '../local/file-operations.ts'

/** The hidden file of a folder; undefined when there is none, or none that can be understood. */
export async function readMarker(folder: string): Promise<Place | undefined> {
  try {
    const { id, sequence } = JSON.parse(await readFile(join(folder, PLACE_MARKER), 'utf8'))
    return typeof id === 'string' && Number.isSafeInteger(sequence) ? { id, sequence } : undefined
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The service may not write to a folder, so that it could not remove what it signs either. */
export class FolderNotWritable extends Error {
  override readonly name = 'FolderNotWritable'
  readonly errno: string

  constructor(cause: unknown) {
    super('The service cannot write to the folder.', { cause })
    this.errno = errnoOf(cause) ?? 'unknown'
  }
}

/** Replaces the hidden file of a folder, whole. */
export async function writeMarker(folder: string, { id, sequence }: Place): Promise<void> {
  const [path, next] = [join(folder, PLACE_MARKER), join(folder, `${PLACE_MARKER}.next`)]
  const text = JSON.stringify({ about: 'Chancela takes files from this folder.', id, sequence })
  try {
    await writeFile(next, `${text}\n`, { mode: FILE_MODE, flush: true })
    await rename(next, path)
  } catch (cause) {
    throw new FolderNotWritable(cause)
  }
}
