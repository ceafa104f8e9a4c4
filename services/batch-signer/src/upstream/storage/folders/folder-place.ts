import { mkdir, opendir, stat } from 'node:fs/promises'
import { errnoOf } from '../local/disk-errors.ts'
import { probeFolder } from '../local/probe-folder.ts'

/** Makes a folder that is not there; what is there stays as it is. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o750 })
}

/** Why a path is no folder that this process reads, writes and lists; undefined when it is one. */
export async function folderProblem(path: string): Promise<string | undefined> {
  try {
    if (!(await stat(path)).isDirectory()) return `${path} is not a folder.`
    await (await opendir(path)).close()
    // Permissions do not tell of a read-only mount or of a share's own rules: only a file that was written does.
    await probeFolder(path)
    return undefined
  } catch (error) {
    return sentenceOf(path, errnoOf(error))
  }
}

/** The same sentence for a folder that could not be made. */
export function sentenceOf(path: string, code: string | undefined): string {
  if (code === 'ENOENT') return `${path} does not exist.`
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `${path} is not readable and writable for this service (${code}).`
  return `${path} cannot be used as a folder (${code ?? 'unknown reason'}).`
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
