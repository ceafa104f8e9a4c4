import { opendir } from 'node:fs/promises'

/**
 * The names of the regular files in a folder, in pieces: a folder of any size costs one piece of memory. Folders, links
 * and pipes are left out: a link could lead the service to any file of the machine.
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
