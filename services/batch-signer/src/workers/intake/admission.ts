import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Context } from '../../context.ts'
import type { InputFolder } from '../../rules/input-folders.ts'
import { formatByExtension, type JobSource } from '../../rules/job.ts'
import { JobFailure } from '../../rules/job-failure.ts'
import { reasonOf } from '../../rules/job-reason.ts'
import type { Profile } from '../../rules/profile.ts'
import { said, telling, words } from '../../rules/sentences.ts'
import type { FileIdentity } from '../../rules/tombstone.ts'
import type { EnqueueOutcome, NewJob } from '../../store/job-ledger.ts'
import type { WorkArea } from '../../upstream/storage/storage.ts'

/** A file of a watched folder, ready to become a job. */
export interface FoundFile {
  readonly folder: InputFolder
  readonly name: string
  readonly profile: Profile
  readonly identity: FileIdentity | undefined
  readonly source: Extract<JobSource, 'Watcher' | 'Rescan'>
}

export type Admitted =
  | { readonly outcome: 'enqueued' | 'alreadyActive' | 'alreadyProcessed' }
  | { readonly outcome: 'error'; readonly error: Error }

const arrival = {
  Watcher: 'found',
  Rescan: 'found-by-rescan',
} as const

type Holder = Extract<EnqueueOutcome, { outcome: 'AlreadyProcessed' }>

type AdmissionContext = Pick<Context, 'ledger' | 'events' | 'store' | 'clock' | 'logger'>

/** Turns files of watched folders into jobs; the same way for watchers and rescans. */
export class Admission {
  readonly #context: AdmissionContext
  readonly #work: Pick<WorkArea, 'moveToError'>

  constructor(context: AdmissionContext, work: Pick<WorkArea, 'moveToError'>) {
    this.#context = context
    this.#work = work
  }

  /** Never throws: an error is the file's outcome. */
  async admit(file: FoundFile): Promise<Admitted> {
    const { ledger, clock, logger } = this.#context
    const job = jobOf(file)
    try {
      const result = await ledger.enqueue(job, clock())
      if (result.outcome === 'Enqueued') return { outcome: 'enqueued' }
      if (result.outcome === 'AlreadyActive') return { outcome: 'alreadyActive' }
      await this.#refuse(job, result)
      return { outcome: 'alreadyProcessed' }
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause))
      logger.error({ err: error, folder: file.folder.name, file: file.name }, 'file could not be enqueued')
      return { outcome: 'error', error }
    }
  }

  /** The file is moved first, so that the job's record of its place is right. If that fails, nothing is recorded. */
  async #refuse(job: NewJob, { holderId, holderName }: Holder): Promise<void> {
    const { ledger, clock, events, store } = this.#context
    const held = reasonOf('already-processed', { holder: holderId, name: holderName })
    const failure = new JobFailure('file.already-processed', held)
    const { recorded } = failure
    const { fileName: file, inputFolder: folder } = job
    await this.#work.moveToError(job.id, job.originalPath, job.fileName)
    await ledger.recordRefused({ ...job, ...recorded }, clock())
    await events.record(store.db, {
      type: 'FileAlreadyProcessed',
      actor: 'intake',
      subject: { kind: 'job', id: job.id },
      code: recorded.code,
      ...telling(said('file-refused', { file, folder: folder ?? '', why: failure.said }), { holderId, holderName }),
    })
  }
}

function jobOf(file: FoundFile): NewJob {
  const { folder, name, profile, identity, source } = file
  return {
    id: randomUUID(),
    fileName: name,
    originalPath: join(folder.path, name),
    inputFolder: folder.name,
    format: profile.format ?? formatByExtension(name),
    source,
    profileName: profile.name,
    inputIdentity: identity,
    message: words(arrival[source], { folder: folder.name }),
  }
}
