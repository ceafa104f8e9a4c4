import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, copyFile, link, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Gives a job its input back from the copy under error/; an input that is still there is left as it is. The copy gets its
 * name when it is whole and durable: a crash half-way must not leave half a file for the retry to sign. Watchers leave
 * the path alone, because the last job that had it failed.
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
    // Whatever stands in the way of the file stands in the way of its copy, too, and is told then.
    () => false,
  )

/** Never over a file that came back meanwhile. */
async function place(partial: string, inputPath: string): Promise<void> {
  try {
    await link(partial, inputPath)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    // A file system without hard links: the moment between the look and the rename is all that is left unguarded.
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
