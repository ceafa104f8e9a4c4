import { DAY, HOUR, MINUTE, plus } from '@chancela/service-kernel/clock'
import { serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { readOverview, readStatistics } from '../../contract/dashboard-jobs.ts'
import { readDays } from '../../rules/job-filter.ts'
import { dayPlus, siteDay, siteMidnight } from '../../rules/site-days.ts'
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
    const { TimeZone } = context.settings.Site
    const days = daysOf(query, now, TimeZone)
    const [from, to] = [days[0]!, days.at(-1)!]
    const starts = days.length - 1 <= HOURLY_DAYS ? every(HOUR, from, to) : days.slice(0, -1)
    const minutes = await statistics.minutesBetween(db, from, to)
    return { ...(await statistics.countJobs(db)), buckets: statistics.stretches(minutes, starts) }
  })
}

/** Up to so many days are shown by the hour. */
const HOURLY_DAYS = 7

/** Longest range of one answer: a chart shows no more days, and each is a row. */
const MOST_DAYS = 366

/** Where each requested day of the site begins, and the last one ends; by default the last seven days. */
function daysOf(query: Readonly<Record<string, unknown>>, now: Date, timeZone: string): readonly Date[] {
  const asked = readDays(query, timeZone)
  const lastDay = asked.to === undefined ? siteDay(timeZone, now) : siteDay(timeZone, plus(new Date(asked.to), -MINUTE))
  const firstDay =
    asked.from === undefined ? dayPlus(lastDay, 1 - HOURLY_DAYS) : siteDay(timeZone, new Date(asked.from))
  const days = [dayPlus(lastDay, 1)]
  while (days[0]! > firstDay && days.length <= MOST_DAYS) days.unshift(dayPlus(days[0]!, -1))
  return days.map((day) => siteMidnight(timeZone, day))
}

/** Times at equal distances. */
const every = (step: number, from: Date, to: Date): readonly Date[] =>
  Array.from({ length: Math.ceil((to.getTime() - from.getTime()) / step) }, (_, index) => plus(from, index * step))

/** The last 24 hours, in quarters of an hour that begin on the clock's quarters. */
async function lastDay({ store }: Context, now: Date) {
  const end = new Date((Math.floor(now.getTime() / QUARTER) + 1) * QUARTER)
  const from = plus(end, -DAY)
  const minutes = await statistics.minutesBetween(store.db, from, end)
  const { completed, failed, canceled, encrypted } = statistics.endedIn(minutes)
  return {
    last24h: { completed, failed, canceled, encrypted },
    throughput: statistics.stretches(minutes, every(QUARTER, from, end)),
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
