import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupProblem } from '@chancela/service-kernel/errors'

/** The demo's data folder, locked by one process. */
export interface DataFolder {
  readonly path: string
  release(): void
}

/**
 * Locks the data folder for this process. A second demo on the same folder is refused; a lock left by a killed process
 * is taken over, because no process has its pid.
 */
export function takeDataFolder(path: string, options: { fresh: boolean }): DataFolder {
  refuseSecond(path)
  if (options.fresh) rmSync(path, { recursive: true, force: true })
  const lock = lockOf(path)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  writeFileSync(lock, String(process.pid))
  return { path, release: () => rmSync(lock, { force: true }) }
}

const lockOf = (path: string) => join(path, 'demo.pid')

function refuseSecond(path: string): void {
  const lock = lockOf(path)
  if (!existsSync(lock)) return
  const owner = Number(readFileSync(lock, 'utf8'))
  if (!isRunning(owner)) return
  throw new StartupProblem(
    `A demo is already running on ${path} (process ${owner}): stop it, or choose another folder with --data.`,
    { setting: '--data' },
  )
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return isDemo(pid)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // alive, but another user's
  }
}

// After a reboot another program may have the pid; on Linux its command line shows which.
function isDemo(pid: number): boolean {
  const commandLine = `/proc/${pid}/cmdline`
  return !existsSync(commandLine) || /start\.mjs|apps.demo/.test(readFileSync(commandLine, 'utf8'))
}

const sentences: Readonly<Record<string, string | undefined>> = {
  EACCES: 'may not be written by this user: change its owner, or choose another folder with --data.',
  EPERM: 'may not be written by this user: change its owner, or choose another folder with --data.',
  EROFS: 'is on a read-only disk: choose another folder with --data.',
  ENOSPC: 'is on a full disk: free some space, or choose another folder with --data.',
  ENOTDIR: 'is not a folder: choose another with --data.',
  EEXIST: 'is not a folder: choose another with --data.',
}

/** A data folder error the user can fix, as one sentence; undefined for any other error. */
export function folderProblem(path: string, error: unknown): StartupProblem | undefined {
  const sentence = sentences[(error as NodeJS.ErrnoException).code ?? '']
  if (!sentence) return undefined
  return new StartupProblem(`The data folder ${path} ${sentence}`, { setting: '--data', cause: error })
}
