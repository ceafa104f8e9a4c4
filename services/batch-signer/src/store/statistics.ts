import type { Db } from '@chancela/service-kernel/store'
import { sql } from 'kysely'
import { type JobSource, type JobStatus, jobStatuses, type SignatureFormat } from '../rules/job.ts'
import type { ListedJob } from './job-reads.ts'
import { readPipelineState } from './pipeline-state.ts'
import type { JobRow, Tables, ThroughputRow } from './tables.ts'

/** How many jobs there are of each kind. */
interface JobCounts {
  readonly byStatus: Readonly<Record<JobStatus, number>>
  readonly bySource: Readonly<Partial<Record<JobSource, number>>>
  readonly byFormat: Readonly<Partial<Record<SignatureFormat, number>>>
  readonly byProfile: Readonly<Record<string, number>>
}

/** Counts all jobs, from the tally. */
export async function countJobs(db: Db<Tables>): Promise<JobCounts> {
  const rows = await db.selectFrom('job_tally').selectAll().execute()
  const none = Object.fromEntries(jobStatuses.map((status) => [status, 0]))
  const by = (keyOf: (row: (typeof rows)[number]) => string, sums: Record<string, number> = {}) => {
    for (const row of rows) if (row.n !== 0) sums[keyOf(row)] = (sums[keyOf(row)] ?? 0) + row.n
    return sums
  }
  return {
    byStatus: by(({ status }) => status, none) as Record<JobStatus, number>,
    bySource: by(({ source }) => source),
    byFormat: by(({ format }) => format),
    byProfile: by(({ profile_name }) => profile_name),
  }
}

/** What ended in a time range: sums of its minutes. */
interface Ended {
  readonly completed: number
  readonly failed: number
  readonly canceled: number
  readonly encrypted: number
  readonly averageQueueMs: number | null
  readonly averageSigningMs: number | null
  readonly averageVerificationMs: number | null
  readonly averageOutputMs: number | null
  readonly averageJobMs: number | null
  readonly longestMs: number | null
  readonly shortestMs: number | null
}

/** What ended in each minute between two times, oldest first; empty minutes are left out. */
export const minutesBetween = (db: Db<Tables>, from: Date, to: Date): Promise<ThroughputRow[]> =>
  db
    .selectFrom('throughput')
    .selectAll()
    .where('minute', '>=', from.toISOString().slice(0, 16))
    .where('minute', '<', to.toISOString().slice(0, 16))
    .orderBy('minute')
    .execute()

/** Sums up minutes. */
export function endedIn(minutes: readonly ThroughputRow[]): Ended {
  const sum = (column: Exclude<keyof ThroughputRow, 'minute'>) => minutes.reduce((total, row) => total + row[column], 0)
  const completed = sum('completed')
  const average = (total: number) => (completed === 0 ? null : Math.round(total / completed))
  const [queue, signing, verification, output] = [
    sum('queue_ms'),
    sum('signing_ms'),
    sum('verification_ms'),
    sum('output_ms'),
  ]
  const busy = minutes.filter((row) => row.completed > 0)
  return {
    completed,
    failed: sum('failed'),
    canceled: sum('canceled'),
    encrypted: sum('encrypted'),
    averageQueueMs: average(queue),
    averageSigningMs: average(signing),
    averageVerificationMs: average(verification),
    averageOutputMs: average(output),
    averageJobMs: average(signing + verification + output),
    longestMs: busy.length === 0 ? null : Math.max(...busy.map((row) => row.longest_ms)),
    shortestMs: busy.length === 0 ? null : Math.min(...busy.map((row) => row.shortest_ms)),
  }
}

/** Minutes, oldest first, grouped into ranges that begin at these times; empty ranges are included. */
export function stretches(minutes: readonly ThroughputRow[], starts: readonly Date[]) {
  const found = starts.map((start) => ({ at: start.toISOString(), minutes: [] as ThroughputRow[] }))
  let place = 0
  for (const row of minutes) {
    while (place + 1 < found.length && row.minute >= found[place + 1]!.at.slice(0, 16)) place += 1
    found[place]?.minutes.push(row)
  }
  return found.map(({ at, minutes: own }) => ({ at, ...endedIn(own) }))
}

/** Everything since the statistics began: the creation of the store, or the last Clear Jobs. */
export async function endedSinceReset(db: Db<Tables>, now: Date) {
  const { statistics_since } = await readPipelineState(db)
  const totals = await db
    .selectFrom('throughput')
    .select((eb) => [
      eb.fn.sum<number | string | null>('completed').as('completed'),
      eb.fn.sum<number | string | null>('queue_ms').as('queue_ms'),
      eb.fn.sum<number | string | null>('signing_ms').as('signing_ms'),
      eb.fn.sum<number | string | null>('verification_ms').as('verification_ms'),
      eb.fn.sum<number | string | null>('output_ms').as('output_ms'),
      eb.fn.min<string | null>('minute').as('first'),
    ])
    .where('minute', '>=', statistics_since.slice(0, 16))
    .executeTakeFirstOrThrow()
  const extremes = await db
    .selectFrom('throughput')
    .select((eb) => [
      eb.fn.max<number | null>('longest_ms').as('longest_ms'),
      eb.fn.min<number | null>('shortest_ms').as('shortest_ms'),
    ])
    .where('completed', '>', 0)
    .where('minute', '>=', statistics_since.slice(0, 16))
    .executeTakeFirstOrThrow()
  const completed = Number(totals.completed ?? 0)
  const average = (...sums: (number | string | null)[]) =>
    completed === 0 ? null : Math.round(sums.reduce<number>((total, one) => total + Number(one ?? 0), 0) / completed)
  const since = statistics_since || (totals.first === null ? null : `${totals.first}:00.000Z`)
  return {
    completed,
    averageJobMs: average(totals.signing_ms, totals.verification_ms, totals.output_ms),
    averageQueueMs: average(totals.queue_ms),
    averageSigningMs: average(totals.signing_ms),
    averageVerificationMs: average(totals.verification_ms),
    averageOutputMs: average(totals.output_ms),
    minMs: extremes.shortest_ms,
    maxMs: extremes.longest_ms,
    perMinuteLifetime: since === null ? 0 : perMinute(completed, now.getTime() - Date.parse(since)),
    since,
  }
}

const perMinute = (completed: number, milliseconds: number): number =>
  Math.round((completed / Math.max(1, milliseconds / 60_000)) * 100) / 100

/** The completed job that took longest, searched in the minute that recorded it. */
export async function slowestJob(
  db: Db<Tables>,
): Promise<{ id: string; fileName: string; totalMs: number } | undefined> {
  const { statistics_since } = await readPipelineState(db)
  const minute = await db
    .selectFrom('throughput')
    .select(['minute', 'longest_ms'])
    .where('completed', '>', 0)
    .where('minute', '>=', statistics_since.slice(0, 16))
    .orderBy('longest_ms', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!minute) return undefined
  const rows = await db
    .selectFrom('job')
    .select(['id', 'file_name', 'status', 'signing_ms', 'verification_ms', 'output_ms'])
    .where('finished_at', '>=', `${minute.minute}:00.000Z`)
    .where('finished_at', '<=', `${minute.minute}:59.999Z`)
    .execute()
  const totalOf = (row: (typeof rows)[number]) =>
    (row.signing_ms ?? 0) + (row.verification_ms ?? 0) + (row.output_ms ?? 0)
  // The job itself may have been deleted since; then there is none.
  const slowest = rows.find((row) => row.status === 'Completed' && totalOf(row) === minute.longest_ms)
  return slowest && { id: slowest.id, fileName: slowest.file_name, totalMs: totalOf(slowest) }
}

/** The job in flight that was picked up first. */
export const longestRunning = (db: Db<Tables>): Promise<Pick<JobRow, 'id' | 'file_name' | 'started_at'> | undefined> =>
  db
    .selectFrom('job')
    .select(['id', 'file_name', 'started_at'])
    .where('status', 'in', ['Processing', 'Verifying'])
    .orderBy('started_at')
    .limit(1)
    .executeTakeFirst()

/** Number of jobs completed since a time: the statistics do not include the current minute yet. */
export async function completedSince(db: Db<Tables>, moment: Date): Promise<number> {
  // The state is outside the condition: SQLite would scan every completed job instead of the last minute's.
  const { n } = await db
    .selectFrom('job')
    .select(sql<number | string | null>`sum(case when status = 'Completed' then 1 else 0 end)`.as('n'))
    .where('finished_at', '>=', moment.toISOString())
    .executeTakeFirstOrThrow()
  return Number(n ?? 0)
}

/** The newest jobs. */
export const newestJobs = (db: Db<Tables>, most: number): Promise<ListedJob[]> =>
  db.selectFrom('job').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').limit(most).execute()
