import { randomUUID } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Writes a file into a folder and deletes it; throws the error of the kernel while that is not possible. Watchers ignore
 * its name, and it is gone before one finds it stable.
 */
export async function probeFolder(folder: string): Promise<void> {
  const path = join(folder, `.write-probe-${randomUUID()}.tmp`)
  await (await open(path, 'wx', 0o600)).close()
  await unlink(path)
}
