import { mkdir, opendir, stat } from 'node:fs/promises'
import { type Trouble, troubleOf } from '../../../rules/trouble.ts'
import { errnoOf } from '../local/disk-errors.ts'
import { probeFolder } from '../local/probe-folder.ts'

/** Makes a folder that is not there; what is there stays as it is. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o750 })
}

/** Why a path is no folder that this process reads, writes and lists; undefined when it is one. */
export async function folderProblem(path: string): Promise<Trouble | undefined> {
  try {
    if (!(await stat(path)).isDirectory()) return troubleOf('path-not-a-folder', { path })
    await (await opendir(path)).close()
    // Permissions do not tell of a read-only mount or of a share's own rules: only a file that was written does.
    await probeFolder(path)
    return undefined
  } catch (error) {
    return troubleAt(path, errnoOf(error))
  }
}

const refused: readonly (string | undefined)[] = ['EACCES', 'EPERM', 'EROFS']

/** The same for a folder that could not be made. */
export function troubleAt(path: string, code: string | undefined): Trouble {
  if (code === 'ENOENT') return troubleOf('folder-gone', { path })
  return troubleOf(refused.includes(code) ? 'path-not-allowed' : 'path-unusable', { path, errno: code ?? '?' })
}

/** Two paths with the same identity are one folder, even where no link shows it: a folder mounted twice. */
export async function folderIdentity(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await stat(path, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    // A folder that is not there is no other folder.
    return undefined
  }
}
