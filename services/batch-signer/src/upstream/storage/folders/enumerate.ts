import { opendir } from 'node:fs/promises'

/**
 * The names of the regular files in a folder, in chunks: memory use does not depend on its size. Folders, links and
 * pipes are skipped: a link could lead the service to any file of the machine.
 */
export async function* fileNames(folder: string, most = 512): AsyncGenerator<readonly string[]> {
  let names: string[] = []
  for await (const entry of await opendir(folder, { bufferSize: most })) {
    if (!entry.isFile()) continue
    names.push(entry.name)
    if (names.length < most) continue
    yield names
    names = []
  }
  if (names.length > 0) yield names
}
