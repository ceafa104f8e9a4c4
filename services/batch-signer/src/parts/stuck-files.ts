import type { NewEvent } from '@chancela/service-kernel/events'
import type { CheckResult } from '@chancela/service-kernel/health'
import type { Context } from '../context.ts'
import { bothOf, type Said, said, telling } from '../rules/sentences.ts'
import { saidTrouble, type Trouble, troubleOf } from '../rules/trouble.ts'
import type { JobRow } from '../store/tables.ts'

type StuckJob = Pick<JobRow, 'id' | 'file_name' | 'input_folder'>

interface StuckInput {
  readonly folder: string | null
  readonly trouble: Trouble
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

  /** Why nothing is taken from a folder; undefined when nothing keeps it. */
  folderTrouble(folder: string): Trouble | undefined {
    return [...this.#inputs.values()].find((input) => input.folder === folder)?.trouble
  }

  async inputStuck({ id, file_name, input_folder: folder }: StuckJob, why: Said): Promise<void> {
    const trouble = troubleOf('input-stuck', { file: file_name, why: bothOf(why) })
    const isFirst = folder !== null && this.folderTrouble(folder) === undefined
    this.#inputs.set(id, { folder, trouble })
    if (!isFirst) return
    this.#tell(folder)
    const stopped = telling(said('folder-stuck', { folder, why: saidTrouble(trouble) }))
    await this.#record({
      type: 'FolderStopped',
      actor: 'pipeline',
      subject: { kind: 'folder', id: folder },
      ...stopped,
    })
  }

  async inputFreed(jobId: string): Promise<void> {
    const folder = this.#inputs.get(jobId)?.folder
    this.#inputs.delete(jobId)
    if (folder === undefined || folder === null || this.folderTrouble(folder) !== undefined) return
    this.#tell(folder)
    const freed = telling(said('folder-freed', { folder }))
    await this.#record({ type: 'FolderResumed', actor: 'pipeline', subject: { kind: 'folder', id: folder }, ...freed })
  }

  async outputTaken({ id, file_name }: StuckJob, path: string): Promise<void> {
    if (this.#outputs.has(id)) return
    this.#outputs.set(id, path)
    await this.#record({
      type: 'OutputNameTaken',
      actor: 'pipeline',
      subject: { kind: 'job', id },
      code: 'job.output-exists',
      ...telling(said('output-waits', { file: file_name, path })),
    })
  }

  outputGiven(jobId: string): void {
    this.#outputs.delete(jobId)
  }

  /** Readiness: names an output that waits for its name. */
  async checkOutputs(): Promise<CheckResult> {
    const [path] = this.#outputs.values()
    if (path === undefined) return { ok: true, detail: 'No signed file waits for its name.' }
    return { ok: false, detail: `${this.#outputs.size} signed file(s) wait: another file has the name ${path}.` }
  }

  #tell(folder: string): void {
    for (const listener of this.#listeners) listener(folder)
  }

  async #record(event: NewEvent): Promise<void> {
    await this.#context.events.record(this.#context.store.db, event)
  }
}
