import { Refusal } from '@chancela/service-kernel/errors'
import { serve } from '@chancela/service-kernel/http'
import * as deletion from '../../actions/delete-job.ts'
import { cancelBy, retryBy } from '../../actions/job-acts.ts'
import type { Context } from '../../context.ts'
import { bulkJobs, deleteJob, readPayments } from '../../contract/dashboard-jobs.ts'
import { reasonOf } from '../../rules/pause.ts'
import { paymentsOf } from '../../store/job-reads.ts'
import type { FullApp } from '../full/full-app.ts'
import { type JobParts, remittanceOf, requiredId, requiredJob } from '../full/job-views.ts'
import { actorOf } from '../operator-access.ts'
import { type FailureParts, serveFailures } from './failures.ts'
import { type LiveParts, serveLive } from './live.ts'
import { serveRemittances } from './remittances.ts'
import { type StatisticsParts, serveStatistics } from './statistics.ts'

/** What the dashboard's routes of jobs need. */
export interface DashboardJobParts extends JobParts, FailureParts, LiveParts, StatisticsParts {}

/** Registers the job routes that only the dashboard uses. */
export function serveDashboardJobs(app: FullApp, context: Context, parts: DashboardJobParts): void {
  serveStatistics(app, context, parts)
  serveLive(app, context, parts)
  serveFailures(app, context, parts)
  serveRemittances(app, context)

  serve(app, readPayments, async ({ params }) => {
    const job = await requiredJob(context, params.id)
    const payments = await paymentsOf(context.store.db, job.id)
    const summary = remittanceOf(job)
    return {
      summary: summary && { ...summary },
      payments: payments === undefined ? null : (JSON.parse(payments) as Record<string, unknown>[]),
    }
  })

  serve(app, deleteJob, async ({ params, body, caller, now }) => {
    const jobId = requiredId(params.id)
    const gone = await deletion.deleteJob(context, parts, { jobId, actor: actorOf(caller), reason: body?.reason, now })
    parts.live.announce('jobs')
    return gone
  })

  serve(app, bulkJobs, async ({ body: { action, ids, reason: given }, caller, now }) => {
    const [reason, actor] = [reasonOf(given), actorOf(caller)]
    const act: Record<typeof action, (jobId: string) => Promise<unknown>> = {
      retry: (jobId) => retryBy(context, parts.profiles, { jobId, actor, now }),
      cancel: (jobId) => cancelBy(context, parts, { jobId, actor, now }, reason),
      delete: (jobId) => deletion.deleteJob(context, parts, { jobId, actor, reason, now }),
    }
    const results = []
    for (const id of new Set(ids)) results.push(await resultOf(id, act[action]))
    parts.live.announce('jobs')
    return { results }
  })
}

/** A refusal is the result of its job; any other error is a bug and fails the whole call. */
async function resultOf(id: string, act: (jobId: string) => Promise<unknown>) {
  try {
    await act(requiredId(id))
    return { id, ok: true }
  } catch (error) {
    if (error instanceof Refusal) return { id, ok: false, code: error.code }
    throw error
  }
}
