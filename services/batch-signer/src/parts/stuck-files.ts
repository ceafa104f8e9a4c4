import type { NewEvent } from '@chancela/service-kernel/events'
import type { CheckResult } from '@chancela/service-kernel/health'
import type { Context } from '../context.ts'
import type { JobRow } from '../store/tables.ts'

type StuckJob = Pick<JobRow, 'id' | 'file_name' | 'input_folder'>

interface StuckInput {
  readonly folder: string | null
  readonly reason: string
}

/**
 * Files of completed jobs that cannot be brought to their end now: inputs that cannot be removed, which stop their
 * folder, and outputs whose name a stranger's file has. Recovery tries them again; each is told once.
 */
export class StuckFiles {
  readonly #context: Pick<Context, 'store' | 'events'>
  readonly #inputs = new Map<string, StuckInput>()
  /** The paths that outputs wait for, by job. */
  readonly #outputs = new Map<string, string>()
  readonly #listeners = new Set<(folder: string) => void>()

  constructor(context: Pick<Context, 'store' | 'events'>) {
    this.#context = context
  }

  /** Calls back when a folder was stopped or may go on. */
  onFolder(listener: (folder: string) => void): void {
    this.#listeners.add(listener)
  }

  /** Why nothing is taken from a folder, as a sentence; undefined when nothing keeps it. */
  folderReason(folder: string): string | undefined {
    return [...this.#inputs.values()].find((input) => input.folder === folder)?.reason
  }

  async inputStuck({ id, file_name, input_folder: folder }: StuckJob, why: string): Promise<void> {
    const reason = `The file ${file_name} was signed and cannot be removed: ${why}.`
    const isFirst = folder !== null && this.folderReason(folder) === undefined
    this.#inputs.set(id, { folder, reason })
    if (!isFirst) return
    this.#tell(folder)
    const text = `The input folder ${folder} was stopped. ${reason} It goes on when the file can be removed.`
    await this.#record({ type: 'FolderStopped', actor: 'pipeline', subject: { kind: 'folder', id: folder }, text })
  }

  async inputFreed(jobId: string): Promise<void> {
    const folder = this.#inputs.get(jobId)?.folder
    this.#inputs.delete(jobId)
    if (folder === undefined || folder === null || this.folderReason(folder) !== undefined) return
    this.#tell(folder)
    const text = `The input folder ${folder} goes on: what had been signed could be removed.`
    await this.#record({ type: 'FolderResumed', actor: 'pipeline', subject: { kind: 'folder', id: folder }, text })
  }

  async outputTaken({ id, file_name }: StuckJob, path: string): Promise<void> {
    if (this.#outputs.has(id)) return
    this.#outputs.set(id, path)
    await this.#record({
      type: 'OutputNameTaken',
      actor: 'pipeline',
      subject: { kind: 'job', id },
      code: 'job.output-exists',
      text: `The signed file of ${file_name} waits: another file has its name ${path}. It is put there when the name is free.`,
    })
  }

  outputGiven(jobId: string): void {
    this.#outputs.delete(jobId)
  }

  /** Readiness: names an output that waits for its name. */
  async checkOutputs(): Promise<CheckResult> {
    const [path] = this.#outputs.values()
    if (path === undefined) return { ok: true }
    return { ok: false, detail: `${this.#outputs.size} signed file(s) wait: another file has the name ${path}.` }
  }

  #tell(folder: string): void {
    for (const listener of this.#listeners) listener(folder)
  }

  async #record(event: NewEvent): Promise<void> {
    await this.#context.events.record(this.#context.store.db, event)
  }
}
