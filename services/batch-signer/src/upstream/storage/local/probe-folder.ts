import { randomUUID } from 'node:crypto'
import { unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** More than a page: a file system without room still makes empty files. */
const PROBE = Buffer.alloc(8 * 1024)

/**
 * Writes a file into a folder and deletes it; throws the error of the kernel while that is not possible. Watchers ignore
 * its name, and it is gone before one finds it stable.
 */
export async function probeFolder(folder: string): Promise<void> {
  const path = join(folder, `.write-probe-${randomUUID()}.tmp`)
  try {
    await writeFile(path, PROBE, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    await unlink(path).catch(() => undefined)
    throw error
  }
  await unlink(path)
}
