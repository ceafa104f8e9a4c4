import { DAY, HOUR, MINUTE, plus } from '@chancela/service-kernel/clock'
import { serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { readOverview, readStatistics } from '../../contract/dashboard-jobs.ts'
import { readDays } from '../../rules/job-filter.ts'
import { readPipelineState } from '../../store/pipeline-state.ts'
import * as statistics from '../../store/statistics.ts'
import type { Pipeline } from '../../workers/pipeline/create-pipeline.ts'
import { displayLanguage } from '../full/culture.ts'
import type { FullApp } from '../full/full-app.ts'
import { listItem } from '../full/job-views.ts'

export interface StatisticsParts {
  readonly pipeline: Pick<Pipeline, 'inFlight'>
}

const QUARTER = 15 * MINUTE
const RECENT = 5

/** Registers the dashboard's statistics. */
export function serveStatistics(app: FullApp, context: Context, { pipeline }: StatisticsParts): void {
  const { db } = context.store

  serve(app, readOverview, async (call) => {
    const { now } = call
    const locale = displayLanguage(call)
    const { byStatus } = await statistics.countJobs(db)
    const { paused, reason } = await readPipelineState(db)
    const day = await lastDay(context, now)
    const inFlight = pipeline.inFlight()
    return {
      counts: byStatus,
      ...day,
      slots: { used: inFlight.total, of: context.settings.Pipeline.MaxConcurrency },
      inFlightByFormat: inFlight,
      longestRunning: await longestRunning(context),
      paused: paused === 1,
      reason,
      performance: await performanceOf(context, now),
      recent: (await statistics.newestJobs(db, RECENT)).map((job) => listItem(job, locale)),
    }
  })

  serve(app, readStatistics, async ({ query, now }) => {
    const { from, to } = daysOf(query, now)
    const step = to.getTime() - from.getTime() <= 7 * DAY ? HOUR : DAY
    const minutes = await statistics.minutesBetween(db, from, to)
    return { ...(await statistics.countJobs(db)), buckets: statistics.stretches(minutes, from, to, step) }
  })
}

/** The requested days; by default the last seven. */
function daysOf(query: Readonly<Record<string, unknown>>, now: Date): { readonly from: Date; readonly to: Date } {
  const { from, to } = readDays(query)
  const tomorrow = plus(new Date(`${now.toISOString().slice(0, 10)}T00:00:00.000Z`), DAY)
  const end = to === undefined ? tomorrow : new Date(to)
  const begin = from === undefined ? plus(end, -7 * DAY) : new Date(from)
  return { from: begin < plus(end, -LONGEST) ? plus(end, -LONGEST) : begin, to: end }
}

/** Longest range of one answer: a chart shows no more days, and each is a row. */
const LONGEST = 366 * DAY

/** The last 24 hours, in quarters of an hour that begin on the clock's quarters. */
async function lastDay({ store }: Context, now: Date) {
  const end = new Date((Math.floor(now.getTime() / QUARTER) + 1) * QUARTER)
  const from = plus(end, -DAY)
  const minutes = await statistics.minutesBetween(store.db, from, end)
  const { completed, failed, canceled, encrypted } = statistics.endedIn(minutes)
  return {
    last24h: { completed, failed, canceled, encrypted },
    throughput: statistics.stretches(minutes, from, end, QUARTER),
  }
}

async function longestRunning({ store }: Context) {
  const job = await statistics.longestRunning(store.db)
  return job ? { jobId: job.id, fileName: job.file_name, startedAt: job.started_at } : null
}

async function performanceOf({ store: { db } }: Context, now: Date) {
  const slowest = await statistics.slowestJob(db)
  return {
    ...(await statistics.endedSinceReset(db, now)),
    lastMinute: await statistics.completedSince(db, plus(now, -MINUTE)),
    slowest: slowest ? { jobId: slowest.id, fileName: slowest.fileName, totalMs: slowest.totalMs } : null,
  }
}
