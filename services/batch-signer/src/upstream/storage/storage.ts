// The interface between the pipeline and file storage. One implementation uses folders of this machine; a remote share
// will be another.
import type { Hash } from 'node:crypto'
import type { Said } from '../../rules/sentences.ts'

/** The staged content: the input is deleted only if it is still the same (spec 2, Files 2). */
export interface Fingerprint {
  readonly length: number
  /** Lower-case hex. */
  readonly sha256: string
}

/** A staged file: small ones in memory (the input is still in place), large ones as a copy on disk. */
export type Staged = Fingerprint & (InMemory | { readonly kind: 'file'; readonly path: string })

interface InMemory {
  readonly kind: 'memory'
  readonly bytes: Buffer
  /** The unfinished SHA-256 of the bytes: a signature over more than them need not hash them again. */
  readonly digestState?: Hash
}

/** Bytes of an output to write, or a file under processing/ that already has them. */
export type OutputBytes = readonly Uint8Array[] | AsyncIterable<Uint8Array> | { readonly path: string }

/** An output, written and durable, under a hidden name. */
export interface WrittenOutput {
  readonly path: string
  readonly length: number
}

/** Where an output goes; mode, owner and group as numbers where they are set. */
export interface Destination {
  /** Null is output/ under the root. */
  readonly folder: string | null
  readonly mode?: number
  readonly owner?: number
  readonly group?: number
}

/** The name of an output and its folder; null is output/ under the root. */
export interface OutputPlace {
  readonly folder: string | null
  readonly name: string
}

/**
 * Result of giving an output its name: it has it; nothing waits under the hidden name, because it was given before; a
 * file of a stranger has the name.
 */
export type Promotion = 'given' | 'gone' | 'taken'

/** Disposal of an input after its job completed. */
export type Disposal =
  | { readonly kind: 'deleted' }
  /** Somebody else removed it. */
  | { readonly kind: 'missing' }
  /** It changed: it stays; the reason goes into the history. */
  | { readonly kind: 'diverged'; readonly reason: Said }
  /** It could not be read or removed, or somebody has it open for writing: to be tried again. */
  | { readonly kind: 'stuck'; readonly reason: Said }

/** The input side: files are read and, after their job, deleted. */
export interface InputFiles {
  /**
   * Copies the input while hashing it, under an exclusive lease. Throws JobFailure: job.input-held, job.input-missing,
   * job.input-unstable (it changed during several attempts to read it).
   */
  stage(jobId: string, path: string): Promise<Staged>
  /**
   * Stages a copy that was kept while people decided, as it is now: whether it is still the same is the caller's to say.
   * Throws JobFailure job.storage-failed when it is gone.
   */
  stageKept(jobId: string, name: string): Promise<Staged>
  /** Deletes the input if it is still what was staged. Never throws for file system errors. */
  dispose(path: string, expected: Fingerprint | Staged): Promise<Disposal>
}

/** The files of a job that did not complete. */
export interface Relocated {
  readonly fileName: string
  readonly staged?: Staged
  readonly inputPath?: string
  /** No job of this id is recorded. */
  readonly isUnknown?: boolean
}

/** The work side: processing/, output/ and error/ under one root; promoting and relocating are renames. */
export interface WorkArea {
  /** Keeps what was staged in the job's folder under processing/, durably, under this name. */
  keep(jobId: string, staged: Staged, name: string): Promise<void>
  /** Removes what an attempt to sign left, but not what was kept. */
  removeAttempt(jobId: string): Promise<void>
  /** Path of what was kept, or of another file of the job's folder under processing/; undefined when it is gone. */
  keptFile(jobId: string, name: string): string | undefined
  /** A path under processing/ for a temporary file of the job; nothing exists there yet. */
  scratch(jobId: string): Promise<string>
  /**
   * Writes an output durably under a hidden name on the file system of its folder. Throws JobFailure
   * job.storage-failed; a full disk throws DiskFull.
   */
  write(jobId: string, bytes: OutputBytes, to?: Destination): Promise<WrittenOutput>
  /** Throws JobFailure job.output-exists or job.storage-failed when the name cannot be given now. */
  requireFree(place: OutputPlace): void
  /**
   * Throws while an output folder cannot take an output of this size: DiskFull, or JobFailure job.storage-failed. Room on
   * the file system of processing/ is not looked at: that is the whole pipeline's matter.
   */
  probe(folder: string, bytes: number): Promise<void>
  /** Throws JobFailure job.storage-failed when nothing can be put into the folder. */
  requireWritable(folder: string | null): void
  /** After Completed is durable: gives the output its name by one rename, never over an existing file. */
  promote(jobId: string, place: OutputPlace): Promise<Promotion>
  /** Path of an output that waits for its name. */
  waitingOutput(jobId: string, folder: string | null): string | undefined
  /** Removes an output that was never given its name: its job did not complete. */
  discard(jobId: string, folder: string | null): Promise<void>
  /** After Completed is durable: removes the job's folder under processing/. */
  settle(jobId: string): Promise<void>
  /**
   * Moves the files of a failed or canceled job to error/<jobid>/: the staged copy, or a copy of the input when the
   * file was in memory. A signed file that was not put out is removed, unless the ledger does not know the job. A
   * second relocation of one id gets a twin with a time in its name.
   */
  relocate(jobId: string, what: Relocated, now: Date): Promise<void>
  /** Moves a refused input itself into error/<jobid>/. */
  moveToError(jobId: string, inputPath: string, fileName: string): Promise<void>
  outputPath(outputName: string, folder?: string | null): string
  /** Whether something of this name lies in processing/, where every job has a folder of its own. */
  isProcessing(fileName: string): Promise<boolean>
  /** Path of the file of a job under error/, if it is there. */
  errorFile(jobId: string, fileName: string): Promise<string | undefined>
  /** Removes a job's output, also one that waits for its name; a stranger's file of that name stays. */
  removeOutput(jobId: string, place: OutputPlace): Promise<'deleted' | 'missing'>
  removeError(jobId: string): Promise<'deleted' | 'missing'>
  removeProcessing(jobId: string): Promise<'deleted' | 'missing'>
  /** Job ids that have something under processing/, or a hidden output in one of these folders. */
  leftovers(outputFolders?: readonly string[]): Promise<readonly string[]>
}

/** The signatures of approvers while a job waits, beside its staged copy; each state of them is a file of its own. */
export interface EnvelopeFiles {
  /** Path of the job's staged copy. */
  stagedPath(jobId: string, stagedName: string): string
  /** Path of the envelope of this SHA-256. */
  path(jobId: string, sha256: string): string
  /**
   * Writes an envelope durably; returns its SHA-256, which is its name. It counts once the job's row names it. Throws
   * what the bytes throw; JobFailure job.storage-failed; a full disk throws DiskFull.
   */
  write(jobId: string, bytes: AsyncIterable<Uint8Array>): Promise<string>
  /** Removes an envelope that no row can name any more; a missing one is no error. */
  remove(jobId: string, sha256: string): Promise<void>
}

/** The disk is full: the job is fine and waits until there is room. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull'
}
