import { opendir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Context } from '../../context.ts'
import { type FolderCondition, FolderHeld } from '../../rules/folder-conditions.ts'
import type { InputFolder } from '../../rules/input-folders.ts'
import { JobFailure } from '../../rules/job-failure.ts'
import { reasonOf } from '../../rules/job-reason.ts'
import type { JobRow } from '../../store/tables.ts'
import { errnoOf, saysDiskFull } from '../../upstream/storage/local/disk-errors.ts'
import { probeFolder } from '../../upstream/storage/local/probe-folder.ts'
import type { WorkArea } from '../../upstream/storage/storage.ts'
import { Holds } from '../holds.ts'
import { isElsewhere } from './elsewhere.ts'
import type { FolderDirectory } from './folder-directory.ts'

export interface FolderHoldParts {
  readonly watched: Pick<FolderDirectory, 'get'>
  readonly work: Pick<WorkArea, 'probe' | 'requireWritable'>
  /** Milliseconds until a held folder is tried for the first time; doubled up to a minute. Default 3,000. */
  readonly firstRetryMs?: number | undefined
}

type FolderJob = Pick<JobRow, 'input_folder' | 'original_path'>

/** Input folders whose files wait, because they, or the output folders of their own, cannot be used now. */
export class FolderHolds extends Holds<FolderCondition> {
  readonly #db: Context['store']['db']
  readonly #parts: FolderHoldParts
  /** Bytes that a full output folder must take, by input folder. */
  readonly #needs = new Map<string, number>()

  constructor({ clock, logger, store }: Pick<Context, 'clock' | 'logger' | 'store'>, parts: FolderHoldParts) {
    super({
      clock,
      logger,
      what: 'folder',
      Held: FolderHeld,
      probe: ({ name }) => this.#probe(name),
      firstTryMs: parts.firstRetryMs,
    })
    this.#db = store.db
    this.#parts = parts
  }

  override begin(name: string, held: FolderHeld): void {
    this.#needs.set(name, held.needs)
    super.begin(name, held)
  }

  /** The condition behind an input that cannot be read or removed; undefined when its folder is there. */
  async ofInput({ input_folder, original_path }: FolderJob): Promise<FolderHeld | undefined> {
    const folder = input_folder === null ? undefined : this.#parts.watched.get(input_folder)?.folder
    // A folder that was given another path does not tell of files in the former one.
    if (!folder || original_path === null || dirname(original_path) !== folder.path) return undefined
    return heldBy(() => this.#requireInput(folder))
  }

  /** The condition behind an output that cannot be put into a folder of its own; undefined when the folder is fine. */
  async ofOutput(folder: string | null, error: unknown, bytes: number): Promise<FolderHeld | undefined> {
    const isOfStorage = error instanceof JobFailure && error.code === 'job.storage-failed'
    if (folder === null || !(isOfStorage || saysDiskFull(error))) return undefined
    return heldBy(() => this.#requireOutput(folder, bytes))
  }

  /** For readiness: a folder that is gone is told before any file comes. */
  async look(name: string): Promise<string | undefined> {
    await this.lookAtInput(name)
    const output = this.#parts.watched.get(name)?.folder.output.path
    if (output !== undefined) await this.#beginIf(name, () => asOutputTrouble(output, 0, () => probeFolder(output)))
    return this.of(name)?.message
  }

  /** The same of the input folder alone: nothing is written, so that it can be asked at any time. */
  async lookAtInput(name: string): Promise<void> {
    const path = this.#parts.watched.get(name)?.folder.path
    if (path !== undefined) await this.#beginIf(name, () => requireThere(path))
  }

  async #beginIf(name: string, requirement: () => Promise<void>): Promise<void> {
    if (this.of(name)) return
    const held = await heldBy(requirement)
    if (held) this.begin(name, held)
  }

  async #probe(name: string): Promise<void> {
    const folder = this.#parts.watched.get(name)?.folder
    if (!folder) return
    await this.#requireInput(folder)
    const { path } = folder.output
    if (path !== undefined) await this.#requireOutput(path, this.#needs.get(name) ?? 0)
  }

  async #requireInput(folder: InputFolder): Promise<void> {
    await requireThere(folder.path)
    if (await isElsewhere(this.#db, folder))
      throw new FolderHeld('input-unavailable', reasonOf('folder-other', { path: folder.path }))
  }

  #requireOutput(path: string, bytes: number): Promise<void> {
    return asOutputTrouble(path, bytes, () => this.#parts.work.probe(path, bytes))
  }
}

async function requireThere(path: string): Promise<void> {
  try {
    await (await opendir(path)).close()
  } catch (cause) {
    throw new FolderHeld('input-unavailable', whyUnusable(path, cause), { cause })
  }
}

async function heldBy(requirement: () => Promise<void>): Promise<FolderHeld | undefined> {
  try {
    await requirement()
    return undefined
  } catch (error) {
    if (error instanceof FolderHeld) return error
    throw error
  }
}

async function asOutputTrouble(path: string, needed: number, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (cause) {
    if (saysDiskFull(cause))
      throw new FolderHeld('output-full', reasonOf('folder-full', { path, needed }), { needs: needed, cause })
    throw new FolderHeld('output-unavailable', whyUnusable(path, cause), { cause })
  }
}

const GONE: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR']

function whyUnusable(path: string, error: unknown) {
  // A failure of a job has a code of its own; the kernel's is behind it.
  const errno = errnoOf(error instanceof JobFailure ? error.cause : error)
  if (GONE.includes(errno)) return reasonOf('folder-gone', { path })
  return reasonOf('folder-unusable', { path, errno: errno ?? 'unknown' })
}
