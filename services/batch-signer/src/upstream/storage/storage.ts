// The seam between the pipeline and where files are. One implementation reads and writes folders of this machine; a
// remote share will be another.
import type { Hash } from 'node:crypto'

/** What a file was when it was staged: the input is deleted only if it still is that (spec 2, Files 2). */
export interface Fingerprint {
  readonly length: number
  /** Lower-case hex. */
  readonly sha256: string
}

/** A file as it was staged: small ones in memory (the input is still in place), large ones as a copy on disk. */
export type Staged = Fingerprint & (InMemory | { readonly kind: 'file'; readonly path: string })

interface InMemory {
  readonly kind: 'memory'
  readonly bytes: Buffer
  /** The SHA-256 of the bytes before it was finished: a signature over more than them need not hash them again. */
  readonly digestState?: Hash
}

/** Bytes of an output on their way to disk, or a file under processing/ that already has them. */
export type OutputBytes = readonly Uint8Array[] | AsyncIterable<Uint8Array> | { readonly path: string }

/** An output that is written and durable, under a name nobody sees yet. */
export interface WrittenOutput {
  readonly path: string
  readonly length: number
}

/** What became of an input after its job completed. */
export type Disposal =
  | { readonly kind: 'deleted' }
  /** Somebody else removed it. */
  | { readonly kind: 'missing' }
  /** It changed, could not be read or was held: it stays; the reason goes into the history. */
  | { readonly kind: 'diverged'; readonly reason: string }

/** The input side: files are read and, after their job, deleted. */
export interface InputFiles {
  /**
   * Copies the input while hashing it, under an exclusive lease. Throws JobFailure: job.input-held, job.input-missing,
   * job.input-unstable (it changed while it was read, several times over).
   */
  stage(jobId: string, path: string): Promise<Staged>
  /** Deletes the input if it still is what was staged. Never throws for what the file system says. */
  dispose(path: string, expected: Fingerprint | Staged): Promise<Disposal>
}

/** The work side: processing/, output/ and error/ under one root; promoting and relocating are renames. */
export interface WorkArea {
  /** A path under processing/ for a file the job needs on its way; nothing is there yet. */
  scratch(jobId: string): Promise<string>
  /** Writes an output durably under processing/. Throws JobFailure job.storage-failed; a full disk throws DiskFull. */
  write(jobId: string, bytes: OutputBytes): Promise<WrittenOutput>
  /**
   * Gives a written output its name in output/, durably, never over an existing file: JobFailure job.output-exists.
   * The hidden name stays until `settle`, so that a crash can tell this job's output from a stranger's.
   */
  promote(jobId: string, written: WrittenOutput, outputName: string): Promise<void>
  /** After Completed is durable: removes what the job still has under processing/. */
  settle(jobId: string): Promise<void>
  /** Takes a promoted output back when its job did not complete; a stranger's file of that name is left alone. */
  withdraw(jobId: string, outputName: string): Promise<void>
  /**
   * Puts what a job that ended badly still has into error/<jobid>/: the staged copy, or a copy of the input when the
   * file was held in memory. A second relocation of one id gets a twin with a time in its name.
   */
  relocate(jobId: string, what: { fileName: string; staged?: Staged; inputPath?: string }, now: Date): Promise<void>
  /** Moves a refused input itself into error/<jobid>/. */
  moveToError(jobId: string, inputPath: string, fileName: string): Promise<void>
  outputPath(outputName: string): string
  /** Path of the file of a job under error/, if it is there. */
  errorFile(jobId: string, fileName: string): Promise<string | undefined>
  removeOutput(outputName: string): Promise<'deleted' | 'missing'>
  removeError(jobId: string): Promise<'deleted' | 'missing'>
  removeProcessing(jobId: string): Promise<'deleted' | 'missing'>
  /** Job ids that have something under processing/, for start-up recovery. */
  leftovers(): Promise<readonly string[]>
}

/** The disk has no room: nothing is wrong with the job, it waits until there is some. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull'
}
