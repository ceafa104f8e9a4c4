import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, copyFile, link, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Restores a job's input from the copy under error/; an existing input stays unchanged. The copy is renamed only when
 * it is complete and durable: a crash must not leave half a file for the retry to sign. A watcher would look at it
 * longer than it takes to record the retry.
 */
export async function putBack(copy: string, inputPath: string): Promise<void> {
  if (await exists(inputPath)) return
  const folder = dirname(inputPath)
  const partial = join(folder, `.put-back-${randomUUID()}.tmp`)
  try {
    await copyFile(copy, partial, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    await sync(partial)
    await place(partial, inputPath)
    await sync(folder)
  } finally {
    await rm(partial, { force: true })
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    // What prevents access to the file also prevents the copy, which then reports it.
    () => false,
  )

/** Never overwrites a file that came back meanwhile. */
async function place(partial: string, inputPath: string): Promise<void> {
  try {
    await link(partial, inputPath)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    // A file system without hard links: only the moment between check and rename is unprotected.
    if (!(await exists(inputPath))) await rename(partial, inputPath)
  }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
