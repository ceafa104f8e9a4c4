import { chmod, open, stat } from 'node:fs/promises'

/** What SQLite keeps beside a database, with the database's own mode when it makes them. */
const BESIDE = ['', '-wal', '-shm', '-journal']

/** A file of a database that other accounts of the machine could read, and whether it was closed to them. */
export interface ExposedFile {
  readonly path: string
  readonly isClosed: boolean
}

/**
 * Leaves a database to the account of its service, whatever the umask: it has people's names and what they signed. Returns
 * the files that others could read until now; one that belongs to another account stays as it is.
 */
export async function keepPrivate(path: string): Promise<readonly ExposedFile[]> {
  await create(path)
  const judged = await Promise.all(BESIDE.map((end) => closed(path + end)))
  return judged.filter((file) => file !== undefined)
}

/** What prevents it, SQLite meets as well, and says so. */
async function create(path: string): Promise<void> {
  const made = await open(path, 'wx', 0o600).catch(() => undefined)
  await made?.close()
}

async function closed(path: string): Promise<ExposedFile | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile() || (found.mode & 0o077) === 0) return undefined
  const isClosed = await chmod(path, 0o600).then(
    () => true,
    () => false,
  )
  return { path, isClosed }
}
