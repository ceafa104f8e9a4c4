import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openStore, type Store } from '@chancela/service-kernel/store'
import { type JobStatus, jobMoves } from '../../../rules/job.ts'
import type { JobRow, Tables } from '../../../store/tables.ts'
import type { DroppedFile } from './dropped-files.ts'
import type { OutputJudge } from './output-judge.ts'
import { databaseUrl } from './world-folders.ts'

type Job = Pick<JobRow, 'id' | 'file_name' | 'status' | 'output_name' | 'error_code' | 'input_disposal' | 'format'>
type Line = { readonly id: number; readonly job_id: string; readonly status: JobStatus; readonly message: string }

/** Problems of a world, in sentences; the proof expects none. */
export type Violations = readonly string[]

/**
 * Checks a world after recovery and before anything is signed: every file is in exactly one place, every output has its
 * Completed job, verifies and is the only one of its file, and no line of any history was lost.
 */
export class WorldChecker {
  readonly #root: string
  readonly #judge: OutputJudge
  readonly #judged = new Set<string>()
  readonly #copies = new Set<string>()
  readonly #lastLine = new Map<string, number>()

  constructor(root: string, judge: OutputJudge) {
    this.#root = root
    this.#judge = judge
  }

  get outputsJudged(): number {
    return this.#judged.size
  }

  async check(files: readonly DroppedFile[]): Promise<Violations> {
    const store = await openStore<Tables>({ url: databaseUrl(this.#root), service: 'batch-signer' })
    try {
      const [jobs, lines] = [await jobsOf(store), await linesOf(store)]
      return [
        ...this.#places(files, jobs),
        ...this.#errorCopies(files, jobs, lines),
        ...this.#folders(jobs),
        ...this.#histories(jobs, lines),
        ...(await tallyDiffers(store)),
        ...(await this.#outputs(files, jobs)),
      ]
    } finally {
      await store.close()
    }
  }

  /** Every input is where its jobs say: still in input/, or signed, written and deleted. */
  #places(files: readonly DroppedFile[], jobs: readonly Job[]): string[] {
    return files.flatMap((file) => {
      const own = jobs.filter(({ file_name }) => file_name === file.name)
      const completed = own.filter(({ status }) => status === 'Completed')
      const isThere = existsSync(join(this.#root, 'input', file.name))
      if (completed.length > 1) return [`${file.name} has ${completed.length} completed jobs`]
      if (completed.length === 1 && isThere) return [`${file.name} was put out and is still in input/`]
      if (completed.length === 0 && !isThere) return [`${file.name} is lost: neither in input/ nor put out`]
      if (isThere && !this.#holds(join('input', file.name), file)) return [`${file.name} in input/ is not what it was`]
      return []
    })
  }

  /** A job that failed after pick-up left a copy in error/, or a line that says why not. */
  #errorCopies(files: readonly DroppedFile[], jobs: readonly Job[], lines: readonly Line[]): string[] {
    const failed = jobs.filter(({ status, id }) => status === 'Failed' && !this.#copies.has(id))
    return failed.flatMap(({ id, file_name, error_code }) => {
      this.#copies.add(id)
      const file = files.find(({ name }) => name === file_name)
      if (error_code === null || !file) return [`job ${id} failed without a code or a file`]
      if (this.#holds(join('error', id, file_name), file)) return []
      const isTold = lines.some(
        ({ job_id, message }) => job_id === id && message.startsWith('The file could not be copied'),
      )
      return isTold || NEVER_READ.includes(error_code) ? [] : [`job ${id} (${error_code}) has no copy in error/`]
    })
  }

  #holds(path: string, { sha256 }: DroppedFile): boolean {
    const whole = join(this.#root, path)
    return existsSync(whole) && createHash('sha256').update(readFileSync(whole)).digest('hex') === sha256
  }

  /** processing/ is empty, and output/ contains exactly the outputs of completed jobs. */
  #folders(jobs: readonly Job[]): string[] {
    const processing = readdirSync(join(this.#root, 'processing'))
    const outputs = readdirSync(join(this.#root, 'output'))
    const expected = jobs.flatMap(({ status, output_name }) => (status === 'Completed' ? [output_name ?? '?'] : []))
    return [
      ...processing.map((entry) => `processing/${entry} was left behind`),
      ...outputs.filter((name) => !expected.includes(name)).map((name) => `output/${name} has no completed job`),
      ...expected
        .filter((name) => !outputs.includes(name))
        .map((name) => `output/${name} of a completed job is missing`),
      ...jobs
        .filter((job) => job.input_disposal === 'pending')
        .map(({ id }) => `job ${id} has its input still pending`),
    ]
  }

  /** Every history follows the state machine, ends in its job's state, and has lost no line since last time. */
  #histories(jobs: readonly Job[], lines: readonly Line[]): string[] {
    const byJob = new Map<string, Line[]>()
    for (const line of lines) byJob.set(line.job_id, [...(byJob.get(line.job_id) ?? []), line])
    const known = new Set(lines.map(({ id }) => id))
    const lost = [...this.#lastLine].filter(([, line]) => !known.has(line)).map(([id]) => `job ${id} lost history`)
    for (const [id, own] of byJob) this.#lastLine.set(id, own.at(-1)!.id)
    return [...lost, ...jobs.flatMap((job) => historyProblems(job, byJob.get(job.id) ?? []))]
  }

  async #outputs(files: readonly DroppedFile[], jobs: readonly Job[]): Promise<string[]> {
    const problems: string[] = []
    for (const { id, status, file_name, output_name, format } of jobs) {
      if (status !== 'Completed' || this.#judged.has(id)) continue
      this.#judged.add(id)
      const file = files.find(({ name }) => name === file_name)!
      const path = join(this.#root, 'output', output_name!)
      const problem = await this.#judge.problem(path, format, file)
      if (problem !== undefined) problems.push(`output/${output_name}: ${problem}`)
    }
    return problems
  }
}

/** Codes of jobs whose input was never read completely. */
const NEVER_READ: readonly string[] = ['job.input-held', 'job.input-missing', 'job.input-unstable']

const jobsOf = ({ db }: Store<Tables>): Promise<Job[]> =>
  db
    .selectFrom('job')
    .select(['id', 'file_name', 'status', 'output_name', 'error_code', 'input_disposal', 'format'])
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
async function tallyDiffers({ db }: Store<Tables>): Promise<string[]> {
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
  return textOf(counted) === textOf(kept) ? [] : [`the tally says ${textOf(kept)}, the jobs say ${textOf(counted)}`]
}
