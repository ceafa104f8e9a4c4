import { writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BatchService } from './batch-service.ts'

/** Longest a service may sign nothing before the benchmark gives up on it. */
const PATIENCE_MS = 300_000

/** Puts files into the watched folder, under new names: a name is signed only once. */
export function putFiles({ input }: BatchService, files: WaitingFiles): void {
  for (let i = 0; i < files.count; i++)
    writeFileSync(join(input, `${files.names}-${i}${files.extension}`), files.content)
}

interface WaitingFiles {
  readonly count: number
  /** Prefix of their names. */
  readonly names: string
  readonly extension: string
  readonly content: Uint8Array
}

/** How many files were done at a time, in milliseconds since the draining began. */
export interface Progress {
  readonly atMs: number
  readonly done: number
}

/** Lets the service sign the waiting files until none is left; returns the progress over time. */
export async function drainFolder(service: BatchService, waiting: number): Promise<readonly Progress[]> {
  const before = await service.count('Completed')
  const begun = performance.now()
  await service.takeFiles(true)
  const progress = await watchProgress(service, { before, waiting, begun })
  await service.takeFiles(false)
  await requireAllSigned(service)
  return progress
}

interface Watch {
  /** Jobs completed before the draining. */
  readonly before: number
  readonly waiting: number
  readonly begun: number
}

async function watchProgress(service: BatchService, { before, waiting, begun }: Watch): Promise<readonly Progress[]> {
  const progress: Progress[] = [{ atMs: 0, done: 0 }]
  let movedAt = begun
  while (progress.at(-1)!.done < waiting) {
    const last = progress.at(-1)!
    await sleep(pauseAfter(last, waiting))
    const done = (await service.count('Completed')) - before
    if (done > last.done) movedAt = performance.now()
    else if (performance.now() - movedAt > PATIENCE_MS) throw new Error(await standstill(service, done, waiting))
    progress.push({ atMs: performance.now() - begun, done })
  }
  return progress
}

// Half of the estimated remaining time: the end is seen within 20 ms, and polling costs the service almost nothing.
const pauseAfter = ({ atMs, done }: Progress, waiting: number): number =>
  Math.min(500, Math.max(20, done === 0 ? 100 : (atMs / done) * (waiting - done) * 0.5))

async function standstill(service: BatchService, done: number, waiting: number): Promise<string> {
  const failed = await service.count('Failed')
  return `The service stands still: ${done} of ${waiting} files are signed, ${failed} failed; see ${service.folder}.`
}

// A service must not look fast by leaving files unsigned.
async function requireAllSigned(service: BatchService): Promise<void> {
  const failed = await service.count('Failed')
  if (failed > 0) throw new Error(`${failed} files failed in ${service.folder}.`)
  // The last inputs are compared and deleted after their jobs are Completed; a gigabyte takes long.
  for (let tries = 0; tries < 1200; tries++) {
    // The service knows the folder by a hidden file.
    if ((await readdir(service.input)).every((name) => name.startsWith('.'))) return
    await sleep(50)
  }
  throw new Error(`Inputs were left behind in ${service.input}.`)
}
