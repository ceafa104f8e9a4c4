import { createHash } from 'node:crypto'
import { basename, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { JobFailure } from '../../../rules/job-failure.ts'
import { reasonOf } from '../../../rules/job-reason.ts'
import { type Said, said } from '../../../rules/sentences.ts'
import type { Disposal, InputFiles, Staged } from '../storage.ts'
import { errnoOf, storageTrouble } from './disk-errors.ts'
import { type FileIdentity, type FileOperations, localFiles, openings } from './file-operations.ts'
import type { FileLease } from './kernel/leases.ts'
import { Leases } from './leases.ts'
import { copyDurably, hashPieces, isSame, readWhole, withFile } from './whole-files.ts'
import { PARTIAL, type WorkFolders, workFolders } from './work-folders.ts'

export interface InputFilesOptions {
  /** The folder that holds processing/, where copies of large files go. */
  readonly root: string
  /** Largest file held in memory, in bytes (Pipeline:InMemoryBytes). */
  readonly inMemoryBytes: number
  /** Default: the files of this machine. */
  readonly fs?: FileOperations
}

/** Attempts to read a file that changes or is held meanwhile: what the kernel said of others is a tenth of a second old. */
const STAGE_TRIES = 3
/** Attempts of a deletion that is refused or locked. */
const DISPOSE_TRIES = 3
/** Milliseconds between two attempts. */
const BETWEEN_TRIES = 100

/** Inputs in folders of this machine. */
export function createInputFiles({ root, inMemoryBytes, fs = localFiles }: InputFilesOptions): InputFiles {
  const leases = new Leases()
  const dependencies: Dependencies = { fs, inMemoryBytes, folders: workFolders(root) }
  return {
    stage: (jobId, path) => leases.holding(resolve(path), () => stage(dependencies, jobId, path)),
    stageKept: (jobId, name) => stageKept(dependencies, join(workFolders(root).jobFolder(jobId), name)),
    dispose: (path, expected) => dispose(dependencies, leases, path, expected),
  }
}

interface Dependencies {
  readonly fs: FileOperations
  readonly inMemoryBytes: number
  readonly folders: WorkFolders
}

async function stage(dependencies: Dependencies, jobId: string, path: string): Promise<Staged> {
  for (let tries = 1; ; tries += 1) {
    const staged = await stageOnce(dependencies, jobId, path).catch((error) => {
      if (isHeld(error) && tries < STAGE_TRIES) return undefined
      throw readTrouble(error, path)
    })
    if (staged) return staged
    if (tries === STAGE_TRIES) throw new JobFailure('job.input-unstable')
    await delay(BETWEEN_TRIES)
  }
}

/** The file's content; undefined when the file changed while it was read. */
function stageOnce(dependencies: Dependencies, jobId: string, path: string): Promise<Staged | undefined> {
  const { fs } = dependencies
  return withFile(fs, path, openings.read, async (fd) => {
    // Before the lease: what is written in between makes the file another one.
    const before = fs.fstatSync(fd)
    requireFile(before, path)
    if (fs.leaseSync(fd, before).hold === 'held') throw new JobFailure('job.input-held')
    return readStaged(dependencies, { jobId, path, fd, before })
  })
}

interface Reading {
  readonly jobId: string
  readonly path: string
  readonly fd: number
  readonly before: FileIdentity
}

async function readStaged(
  { fs, inMemoryBytes, folders }: Dependencies,
  { jobId, path, fd, before }: Reading,
): Promise<Staged | undefined> {
  const length = Number(before.size)
  // No source takes an empty file: somebody is about to write it anew.
  if (length === 0) return undefined
  if (length > inMemoryBytes) {
    const copy = await copyLarge(fs, fd, folders.jobFolder(jobId), basename(path), before)
    return isSame(before, fs.lstatSync(path)) ? copy : undefined
  }
  const bytes = readWhole(fs, fd, length)
  if (bytes.length !== length || !isSame(before, fs.lstatSync(path))) return undefined
  const digestState = createHash('sha256').update(bytes)
  return { kind: 'memory', bytes, length, digestState, sha256: digestState.copy().digest('hex') }
}

/**
 * A copy in the job's folder. It gets its name when it is complete and durable, so that start-up recovery never
 * mistakes a partial file for the file.
 */
async function copyLarge(
  fs: FileOperations,
  from: number,
  folder: string,
  name: string,
  before: FileIdentity,
): Promise<Staged | undefined> {
  await fs.mkdir(folder)
  const [path, partial] = [join(folder, name), join(folder, PARTIAL)]
  const copied = await copyDurably(fs, from, partial).catch(async (error) => {
    // A partial copy on a full disk would keep it full.
    await fs.remove(partial)
    throw error
  })
  if (copied.length !== Number(before.size)) return undefined
  await fs.rename(partial, path)
  return { kind: 'file', path, ...copied }
}

function requireFile(identity: FileIdentity, path: string): void {
  if (!identity.isFile) throw new JobFailure('job.input-missing', reasonOf('input-not-a-file', { path }))
}

// ELOOP: the file was replaced by a symbolic link, which could lead anywhere.
const GONE: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR', 'ELOOP']

// EAGAIN: another process has a lease on the file (F_SETLEASE), which a non-blocking open does not wait for. EBUSY,
// ETXTBSY: the same on mounted shares.
const HELD: readonly (string | undefined)[] = ['EAGAIN', 'EBUSY', 'ETXTBSY']

const isHeld = (error: unknown): error is Error =>
  HELD.includes(errnoOf(error)) || (error instanceof JobFailure && error.code === 'job.input-held')

function readTrouble(error: unknown, path: string): Error {
  if (GONE.includes(errnoOf(error))) return new JobFailure('job.input-missing', undefined, { cause: error })
  if (isHeld(error)) return new JobFailure('job.input-held', undefined, { cause: error })
  return storageTrouble(error, 'input-unreadable', { path })
}

/** A small copy is read once, so that what is hashed is what is signed; a large one is hashed again while it is. */
async function stageKept({ fs, inMemoryBytes }: Dependencies, path: string): Promise<Staged> {
  try {
    return await withFile(fs, path, openings.read, async (fd): Promise<Staged> => {
      const length = Number(fs.fstatSync(fd).size)
      if (length > inMemoryBytes) return { kind: 'file', path, ...(await hashPieces(fs, fd)) }
      const bytes = readWhole(fs, fd, length)
      const digestState = createHash('sha256').update(bytes)
      const sha256 = digestState.copy().digest('hex')
      return { kind: 'memory', bytes, length: bytes.length, digestState, sha256 }
    })
  } catch (cause) {
    throw new JobFailure('job.storage-failed', reasonOf('copy-unreadable'), { cause })
  }
}

type Expected = Parameters<InputFiles['dispose']>[1]

async function dispose(
  dependencies: Dependencies,
  leases: Leases,
  path: string,
  expected: Expected,
): Promise<Disposal> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await leases.holding(resolve(path), () => disposeOnce(dependencies, path, expected))
    } catch (error) {
      if (GONE.includes(errnoOf(error))) return { kind: 'missing' }
      if (tries === DISPOSE_TRIES) return { kind: 'stuck', reason: whyStuck(error) }
      await delay(BETWEEN_TRIES)
    }
  }
}

function whyStuck(error: unknown): Said {
  if (isHeld(error)) return said('open-elsewhere')
  return said('system-error', { error: errnoOf(error) ?? (error instanceof Error ? error.message : String(error)) })
}

async function disposeOnce(dependencies: Dependencies, path: string, expected: Expected): Promise<Disposal> {
  const { fs } = dependencies
  const fd = fs.openSync(path, openings.read)
  try {
    return await disposeLeased(dependencies, fd, path, expected)
  } finally {
    // On the thread pool: closing a deleted file waits for the disk.
    await fs.close(fd)
  }
}

async function disposeLeased(
  dependencies: Dependencies,
  fd: number,
  path: string,
  expected: Expected,
): Promise<Disposal> {
  const { fs } = dependencies
  const before = fs.fstatSync(fd)
  const lease = fs.leaseSync(fd, before)
  if (lease.hold === 'held') throw new JobFailure('job.input-held')
  try {
    return await compareAndDelete(dependencies, { fd, lease, before }, path, expected)
  } finally {
    lease.release()
  }
}

async function compareAndDelete(
  { fs, inMemoryBytes }: Dependencies,
  { fd, lease, before }: { readonly fd: number; readonly lease: FileLease; readonly before: FileIdentity },
  path: string,
  expected: Expected,
): Promise<Disposal> {
  if (!before.isFile || Number(before.size) !== expected.length) return rewritten('length-changed')
  const isUnchanged =
    expected.length > inMemoryBytes
      ? (await hashPieces(fs, fd)).sha256 === expected.sha256
      : holds(readWhole(fs, fd, expected.length), expected)
  if (!isUnchanged) return rewritten('content-changed')
  if (!isSame(before, fs.lstatSync(path))) return rewritten('changed-meanwhile')
  // Somebody waits to write: with the name gone, what he writes would go to a file nobody finds.
  if (lease.hold === 'free' && !lease.isWhole()) throw new JobFailure('job.input-held')
  // Synchronous: the thread pool would queue it behind signatures, and a file rewritten between comparison and deletion
  // would be lost. It only removes the name; the open descriptor keeps the blocks.
  fs.unlinkSync(path)
  return { kind: 'deleted' }
}

const rewritten = (how: 'length-changed' | 'content-changed' | 'changed-meanwhile'): Disposal => ({
  kind: 'diverged',
  reason: said(how),
})

/** Whether these are the expected bytes; comparing bytes still in memory costs nothing. */
function holds(bytes: Buffer, expected: Expected): boolean {
  if ('bytes' in expected) return bytes.equals(expected.bytes)
  return createHash('sha256').update(bytes).digest('hex') === expected.sha256
}
