import { type ChildProcess, fork } from 'node:child_process'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { BackupReport, BackupTask } from './backup-process.ts'

export interface BackupFileOptions {
  /** The database file. */
  readonly source: string
  /** Path of the copy, which must not exist. */
  readonly destination: string
  /** Stops the copy and removes what there is of it. */
  readonly signal?: AbortSignal
  /** Called from time to time, with 0 to 1. */
  readonly onProgress?: (share: number) => void
}

/** Copies a database that may be in use; the copy gets its name only after it was checked and is durable. */
export async function backupFile({ source, destination, signal, onProgress }: BackupFileOptions) {
  signal?.throwIfAborted()
  const part = `${destination}.part`
  try {
    await createPrivate(part)
    await runProcess({ source, destination: part }, signal, onProgress ?? (() => undefined))
    await syncPath(part)
    await rename(part, destination)
    await syncPath(dirname(destination))
    return { sizeBytes: (await stat(destination)).size }
  } catch (error) {
    await Promise.all(['', '-journal', '-wal', '-shm'].map((end) => rm(`${part}${end}`, { force: true })))
    throw error
  }
}

// It contains sealed secrets and personal data: only the service's user may read it.
async function createPrivate(path: string): Promise<void> {
  await rm(path, { force: true })
  const file = await open(path, 'wx', 0o600)
  await file.close()
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Copying is nine tenths of the work, checking the rest. */
const COPYING = 0.9

function runProcess(
  task: BackupTask,
  signal: AbortSignal | undefined,
  onProgress: (share: number) => void,
): Promise<void> {
  const child = startProcess()
  let verdict: BackupReport | undefined
  const stop = (): void => void child.kill('SIGKILL')
  signal?.addEventListener('abort', stop, { once: true })
  child.on('message', (report: BackupReport) => {
    if ('done' in report) onProgress((COPYING * report.done) / report.total)
    else verdict = report
  })
  child.send(task)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    // Only after the process has exited, nothing writes the file any more.
    child.once('close', () => {
      signal?.removeEventListener('abort', stop)
      if (signal?.aborted) reject(signal.reason)
      else if (verdict && 'sound' in verdict) resolve()
      else
        reject(new Error(verdict && 'problem' in verdict ? verdict.problem : 'The process of the backup ended early.'))
    })
  })
}

const runsFromSource = import.meta.url.endsWith('.ts')

// Results are messages; the process's output goes to the log of the service.
const startProcess = (): ChildProcess =>
  fork(new URL(runsFromSource ? './backup-process.ts' : './backup-process.js', import.meta.url), {
    execArgv: runsFromSource ? ['--import', import.meta.resolve('tsx')] : [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
