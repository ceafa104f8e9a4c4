import type { Context } from '../../context.ts'
import { activeStatuses, type JobStatus } from '../../rules/job.ts'
import { type FileIdentity, isJudged, type Judged } from '../../rules/tombstone.ts'
import type { JobChange } from '../../store/job-ledger.ts'
import {
  type BuriedJob,
  buryUnheld,
  isRefusedInput,
  removeTombstones,
  tombstoneOf,
  tombstonePaths,
} from '../../store/tombstones.ts'
import { digestAt } from '../../upstream/storage/folders/file-digest.ts'
import { identityAt } from '../../upstream/storage/folders/sample.ts'
import { type LastJob, lastJobs } from './last-jobs.ts'

type Dependencies = Pick<Context, 'store' | 'ledger' | 'logger'>

/** What an enumeration of a watched folder finds. */
interface FolderEntry {
  readonly name: string
  readonly path: string
}

/** A file in a watched folder that may become a job. */
interface NewFile extends FolderEntry {
  readonly identity: FileIdentity
}

const isActive = (status: JobStatus): boolean => (activeStatuses as readonly JobStatus[]).includes(status)

/** The verdicts that forbid a file of the path: that of its newest job, and one that outlived its job. */
function verdictsOf({ status, code, identity, sha256, buried }: LastJob): readonly Judged[] {
  const isRefused = (status === 'Failed' || status === 'Canceled') && code !== 'file.already-processed'
  return [...(isRefused ? [{ identity, sha256 }] : []), ...(buried ? [buried] : [])]
}

/**
 * Keeps refused what was refused (spec 2, Files 5). The verdict is about a file, not about its path: another file under
 * the same name is new. While the job exists its row says which file it was; a tombstone adds the digest of the content
 * and outlives the job.
 */
export class RefusedFiles {
  readonly #context: Dependencies
  /** Ended jobs whose inputs are to be looked at. */
  readonly #ended = new Set<string>()
  #burying: Promise<void> | undefined
  readonly #onVerdict: (folder: string | null) => Promise<void>
  readonly #unlisten: () => void

  /** `onVerdict` is told of every folder that has a newly refused file; null stands for the folder of uploads. */
  constructor(context: Dependencies, onVerdict: (folder: string | null) => Promise<void> = async () => {}) {
    this.#context = context
    this.#onVerdict = onVerdict
    this.#unlisten = context.ledger.listen((changes) => this.#hear(changes))
  }

  async stop(): Promise<void> {
    this.#unlisten()
    this.#ended.clear()
    await this.#burying
  }

  /** The files among these that are worth a closer look; one of which nothing is known is not looked at yet. */
  async candidatesAmong(files: readonly FolderEntry[]): Promise<readonly FolderEntry[]> {
    const jobs = await this.#lastJobs(files)
    const found: FolderEntry[] = []
    for (const file of files) {
      const last = jobs.get(file.path)
      if (!last || (await this.#isNewFile(file.path, last))) found.push(file)
    }
    return found
  }

  async #isNewFile(path: string, last: LastJob): Promise<boolean> {
    const identity = identityAt(path)
    return identity !== undefined && (await this.#isNew(path, identity, last))
  }

  /** The files among these that may become jobs. */
  async newAmong(files: readonly FolderEntry[]): Promise<readonly NewFile[]> {
    const jobs = await this.#lastJobs(files)
    const found: NewFile[] = []
    for (const { name, path } of files) {
      const [identity, last] = [identityAt(path), jobs.get(path)]
      if (identity === undefined) continue
      if (!last || (await this.#isNew(path, identity, last))) found.push({ name, path, identity })
    }
    return found
  }

  #lastJobs = (files: readonly FolderEntry[]) =>
    lastJobs(
      this.#context.store.db,
      files.map(({ path }) => path),
    )

  async #isNew(path: string, identity: FileIdentity, last: LastJob): Promise<boolean> {
    if (last.uploaded || (last.status !== null && isActive(last.status))) return false
    const verdicts = verdictsOf(last).map((judged) => ({ judged, is: isJudged(judged, identity) }))
    if (verdicts.some(({ is }) => is === 'same')) return false
    const open = verdicts.filter(({ is }) => is === 'unsure').map(({ judged }) => judged.sha256)
    return open.length === 0 || this.#hasOtherContent(path, open)
  }

  /** Compares contents; a file that was only touched is remembered as it is now. */
  async #hasOtherContent(path: string, refused: readonly (string | null)[]): Promise<boolean> {
    const found = await digestAt(path)
    // It changes still: the next look decides.
    if (!found) return false
    if (!refused.includes(found.sha256)) return true
    await this.#context.store.db
      .updateTable('input_tombstone')
      .set({ identity: found.identity })
      .where('path', '=', path)
      .where('sha256', '=', found.sha256)
      .execute()
    return false
  }

  /**
   * Forgets the verdicts on files that are no longer in a folder; only those since the database knows this place: the
   * files of an earlier one may only be out of reach, on a disk that is not mounted.
   */
  async sweep(folder: string, since: string): Promise<void> {
    const { db } = this.#context.store
    for await (const paths of tombstonePaths(db, { folder, since }))
      await removeTombstones(
        db,
        paths.filter((path) => identityAt(path) === undefined),
      )
  }

  #hear(changes: readonly JobChange[]): void {
    for (const { id, status } of changes) if (status === 'Failed' || status === 'Canceled') this.#ended.add(id)
    if (this.#ended.size === 0 || this.#burying) return
    this.#burying = this.#bury().finally(() => {
      this.#burying = undefined
    })
  }

  async #bury(): Promise<void> {
    while (this.#ended.size > 0) {
      const ids = [...this.#ended].slice(0, BURIED_AT_ONCE)
      for (const id of ids) this.#ended.delete(id)
      try {
        const jobs = await endedJobs(this.#context, ids)
        for (const job of jobs.filter(isRefusedInput)) await this.#buryInputOf(job)
        for (const folder of new Set(jobs.map(({ input_folder }) => input_folder))) await this.#onVerdict(folder)
      } catch (error) {
        // The row of the job still forbids its file; the tombstone is made when the row goes.
        this.#context.logger.warn({ err: error }, 'refused files could not be remembered yet')
        return
      }
    }
  }

  /** A file that came meanwhile under the name of a failed one is not the judged one. A cancel is about what lies there. */
  async #buryInputOf(job: BuriedJob): Promise<void> {
    const { original_path: path, input_identity: identity, status } = job
    const found = await digestAt(path!)
    if (!found) return
    if (status === 'Failed' && isJudged({ identity, sha256: job.content_sha256 }, found.identity) === 'other') return
    if (job.content_sha256 !== null && job.content_sha256 !== found.sha256) return
    await buryUnheld(this.#context.store.db, [{ ...tombstoneOf(job), ...found }])
  }
}

/** Jobs whose inputs are looked at per query. */
const BURIED_AT_ONCE = 100

async function endedJobs({ store }: Dependencies, ids: readonly string[]): Promise<readonly BuriedJob[]> {
  return await store.db
    .selectFrom('job')
    .select(['id', 'original_path', 'input_folder', 'input_identity', 'content_sha256'])
    .select(['status', 'error_code', 'finished_at'])
    .where('id', 'in', ids)
    .execute()
}
