import { opendir } from 'node:fs/promises'
import { PLACE_MARKER } from '../../../rules/ignore-rules.ts'

/**
 * The names of the regular files in a folder, in chunks: memory use does not depend on its size. Folders, links and
 * pipes are skipped, because a link could lead the service to any file of the machine; so is the service's own marker.
 */
export async function* fileNames(folder: string, most = 512): AsyncGenerator<readonly string[]> {
  let names: string[] = []
  for await (const entry of await opendir(folder, { bufferSize: most })) {
    if (!entry.isFile() || entry.name.startsWith(PLACE_MARKER)) continue
    names.push(entry.name)
    if (names.length < most) continue
    yield names
    names = []
  }
  if (names.length > 0) yield names
}
