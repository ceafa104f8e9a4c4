import { existsSync, readdirSync } from 'node:fs'
import { openStore, type Store } from '@chancela/service-kernel/store'
import { type JobStatus, jobMoves } from '../../../rules/job.ts'
import type { JobRow, Tables } from '../../../store/tables.ts'
import { ContentIndex } from './content-index.ts'
import type { Deliveries } from './deliveries.ts'
import { type Held, numberIn, type SiteFile } from './site-files.ts'
import { type Violation, violation } from './violations.ts'
import { foldersOf } from './world-folders.ts'

type Job = Pick<
  JobRow,
  'id' | 'file_name' | 'status' | 'output_name' | 'error_code' | 'error_message' | 'input_disposal' | 'content_sha256'
>
type Line = { readonly id: number; readonly job_id: string; readonly status: JobStatus; readonly message: string }

interface CheckerOptions {
  readonly root: string
  readonly databaseUrl: string
  readonly deliveries: Deliveries
}

/**
 * Checks a world after recovery and before anything is taken or signed: every file is somewhere, every delivery was made
 * once and has its Completed job, every Completed job has its delivery, and no line of any history was lost.
 */
export class WorldChecker {
  readonly #options: CheckerOptions
  readonly #contents: ContentIndex
  readonly #lastLine = new Map<string, number>()
  /** Completed jobs ever seen, by the number of their file: rows may be deleted, what was delivered stays so. */
  readonly #completed = new Map<number, Set<string>>()
  #forgets = false
  /** The contents that they signed. */
  readonly #signed = new Map<number, Set<string>>()

  constructor(options: CheckerOptions) {
    this.#options = options
    const { inputs, work } = foldersOf(options.root)
    this.#contents = new ContentIndex([inputs, work])
  }

  async check(files: readonly SiteFile[]): Promise<readonly Violation[]> {
    return this.#withStore(async (store) => {
      const [jobs, lines] = [await jobsOf(store), await linesOf(store)]
      this.#options.deliveries.look()
      this.#contents.read()
      this.#remember(jobs)
      const violations = [
        ...files.flatMap((file) => this.#fate(file, jobs)),
        ...this.#unfinished(files, jobs),
        ...this.#histories(jobs, lines),
        ...(await tallyDiffers(store)),
      ]
      for (const file of files) this.#passVerdict(file, jobs)
      return violations
    })
  }

  /**
   * Takes down what is delivered and completed: jobs may be deleted from here on until the next check. A Completed job
   * whose output has no name yet is a promise that the store alone knows.
   */
  async takeStock(): Promise<void> {
    const { deliveries } = this.#options
    deliveries.look()
    const jobs = await this.#withStore(jobsOf)
    this.#remember(jobs.filter(({ file_name }) => deliveries.ofFile(numberIn(file_name)).length > 0))
    this.mayForget()
  }

  /** The contents of a file that Completed jobs signed. */
  signedOf = (number: number): ReadonlySet<string> => this.#signed.get(number) ?? new Set()

  /** An operator, or the loss of the store, removes jobs with their histories. */
  mayForget(): void {
    this.#lastLine.clear()
    this.#forgets = true
  }

  async #withStore<T>(work: (store: Store<Tables>) => Promise<T>): Promise<T> {
    const store = await openStore<Tables>({ url: this.#options.databaseUrl, service: 'batch-signer' })
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  }

  /** In a folder that is never rescanned, what has failed or was canceled once stays unsigned. */
  #passVerdict(file: SiteFile, jobs: readonly Job[]): void {
    if (file.folder !== 'quiet' || file.verdict || this.#options.deliveries.ofFile(file.number).length > 0) return
    const last = jobs.findLast(({ file_name }) => numberIn(file_name) === file.number)
    if (last?.status === 'Failed') file.verdict = 'refused'
    if (last?.status === 'Canceled') file.verdict = 'canceled'
  }

  #remember(jobs: readonly Job[]): void {
    for (const { id, file_name, status, content_sha256 } of jobs) {
      if (status !== 'Completed') continue
      const number = numberIn(file_name)
      this.#completed.set(number, (this.#completed.get(number) ?? new Set()).add(id))
      this.#signed.set(number, (this.#signed.get(number) ?? new Set()).add(content_sha256 ?? ''))
    }
  }

  /** One file: delivered once and told so, or still there. */
  #fate(file: SiteFile, jobs: readonly Job[]): Violation[] {
    const delivered = this.#options.deliveries.ofFile(file.number)
    const completed = this.#completed.get(file.number)?.size ?? 0
    const told = () => jobs.filter(({ file_name }) => numberIn(file_name) === file.number).map(jobText)
    const hows = delivered.map(({ name, how }) => `${name} ${how}`).join('; ')
    if (file.never && delivered.length > 0) return [violation(file.never, file.name, `it was delivered: ${hows}`)]
    if (file.verdict && delivered.length > 0)
      return [violation(`signed though ${file.verdict}`, file.name, `it was delivered: ${hows} (${told().join('; ')})`)]
    if (file.held && delivered.length > file.held.delivered + this.#newContents(file.number, file.held))
      return [violation('signed though held', file.name, `${file.held.story}: ${hows} (${told().join('; ')})`)]
    // A file that was written again is delivered again, where the name was free by then.
    if (delivered.length > Math.max(1, this.#signed.get(file.number)?.size ?? 0))
      return [violation('delivered twice', file.name, `${hows} (${told().join('; ')})`)]
    if (delivered.length > completed && !file.isUnsure)
      return [violation('history untrue', file.name, `it was delivered (${hows}), but no job Completed: ${told()}`)]
    if (completed > delivered.length)
      return [violation('lost', file.name, `it has ${completed} Completed job(s) and ${delivered.length} outputs`)]
    return this.#isLost(file) ? [violation('lost', file.name, `what was written last is nowhere: ${told()}`)] : []
  }

  /** Contents that were written and signed since a file is held. */
  #newContents(number: number, { sha256, signed }: Held): number {
    return [...this.signedOf(number)].filter((content) => content !== sha256 && !signed.has(content)).length
  }

  /** The last bytes of a writer who is done were signed, or are still there. */
  #isLost({ number, versions, isOpen, isUnsure }: SiteFile): boolean {
    const last = versions.at(-1)
    if (isOpen || isUnsure || last === undefined) return false
    return !this.#signed.get(number)?.has(last.sha256) && !this.#contents.has(last)
  }

  /**
   * Recovery leaves nothing under processing/, and no job in flight. An input that its writer has open again is not
   * removed, and stays pending until it is looked at once more.
   */
  #unfinished(files: readonly SiteFile[], jobs: readonly Job[]): Violation[] {
    const rewritten = new Set(files.filter(({ versions }) => versions.length > 1).map(({ name }) => name))
    const { processing } = foldersOf(this.#options.root)
    const left = existsSync(processing) ? readdirSync(processing) : []
    const hung = jobs.filter(({ status }) => status === 'Processing' || status === 'Verifying')
    const pending = jobs.filter(
      ({ input_disposal, file_name }) => input_disposal === 'pending' && !rewritten.has(file_name),
    )
    return [
      ...left.map((entry) => violation('left behind', entry, 'it is still under processing/')),
      ...hung.map((job) => violation('hung', job.file_name, `after recovery: ${jobText(job)}`)),
      ...pending.map((job) => violation('left behind', job.file_name, `the input is still pending: ${jobText(job)}`)),
    ]
  }

  /** Every history follows the state machine, ends in its job's state, and has lost no line since last time. */
  #histories(jobs: readonly Job[], lines: readonly Line[]): Violation[] {
    const byJob = new Map<string, Line[]>()
    for (const line of lines) byJob.set(line.job_id, [...(byJob.get(line.job_id) ?? []), line])
    const known = new Set(lines.map(({ id }) => id))
    const lost = this.#forgets
      ? []
      : [...this.#lastLine].filter(([, line]) => !known.has(line)).map(([id]) => `job ${id} lost history`)
    this.#lastLine.clear()
    for (const [id, own] of byJob) this.#lastLine.set(id, own.at(-1)!.id)
    this.#forgets = false
    const problems = [...lost, ...jobs.flatMap((job) => historyProblems(job, byJob.get(job.id) ?? []))]
    return problems.map((text) => violation('history untrue', text, 'its history'))
  }
}

const jobText = ({ id, file_name, status, error_code, error_message }: Job): string =>
  `job ${id} of ${file_name} is ${[status, error_code, error_message].filter((part) => part !== null).join(', ')}`

const jobsOf = ({ db }: Store<Tables>): Promise<Job[]> =>
  db
    .selectFrom('job')
    .select(['id', 'file_name', 'status', 'output_name', 'error_code', 'error_message', 'input_disposal'])
    .select('content_sha256')
    .orderBy('created_at')
    .execute()

const linesOf = ({ db }: Store<Tables>): Promise<Line[]> =>
  db.selectFrom('job_history').select(['id', 'job_id', 'status', 'message']).orderBy('id').execute()

const moves: readonly { readonly from: readonly JobStatus[]; readonly to: JobStatus }[] = Object.values(jobMoves)

function historyProblems({ id, status }: Job, lines: readonly Line[]): string[] {
  const states = lines.map((line) => line.status)
  if (states.length === 0) return [`job ${id} has no history`]
  const isAllowed = (from: JobStatus, to: JobStatus) =>
    from === to || moves.some((move) => move.to === to && move.from.includes(from))
  const jumps = states.some((state, index) => index > 0 && !isAllowed(states[index - 1]!, state))
  return [
    ...(states[0] === 'Queued' || states[0] === 'Failed' ? [] : [`the history of job ${id} begins with ${states[0]}`]),
    ...(states.at(-1) === status ? [] : [`job ${id} is ${status}, its history ends with ${states.at(-1)}`]),
    ...(jumps ? [`the history of job ${id} jumps: ${states.join(', ')}`] : []),
  ]
}

/** The tally must equal the counts of the jobs. */
async function tallyDiffers({ db }: Store<Tables>): Promise<Violation[]> {
  const counted = await db
    .selectFrom('job')
    .select(['status', (row) => row.fn.countAll<number>().as('n')])
    .groupBy('status')
    .execute()
  const kept = await db
    .selectFrom('job_tally')
    .select(['status', (row) => row.fn.sum<number>('n').as('n')])
    .groupBy('status')
    .execute()
  const textOf = (rows: readonly { status: string; n: number }[]) =>
    rows
      .filter(({ n }) => Number(n) !== 0)
      .map(({ status, n }) => `${status} ${n}`)
      .sort()
      .join(', ')
  if (textOf(counted) === textOf(kept)) return []
  return [violation('history untrue', 'the tally', `it says ${textOf(kept)}, the jobs say ${textOf(counted)}`)]
}
