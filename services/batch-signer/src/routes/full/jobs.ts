import { serve } from '@chancela/service-kernel/http'
import { cancelBy, retryBy } from '../../actions/job-acts.ts'
import type { Context } from '../../context.ts'
import { cancelJob, listJobs, readJob, retryJob } from '../../contract/jobs.ts'
import type { ReportLocale } from '../../rules/cnab240/entry-codes.ts'
import { readJobFilter, readPage } from '../../rules/job-filter.ts'
import { findingsIn } from '../../rules/job-reason.ts'
import { lineIn } from '../../rules/sentences.ts'
import * as reads from '../../store/job-reads.ts'
import type { HistoryLine, JobRow } from '../../store/tables.ts'
import { actorOf } from '../operator-access.ts'
import { serveArchive } from './archive.ts'
import { serveClear } from './clear.ts'
import { displayLanguage } from './culture.ts'
import { serveExport } from './export.ts'
import type { FullApp } from './full-app.ts'
import {
  type ApprovalStateView,
  approvalsOf,
  type JobParts,
  listItem,
  remittanceOf,
  requiredId,
  requiredJob,
} from './job-views.ts'
import { serveOutputs } from './outputs.ts'

/** Registers the jobs. */
export function serveJobs(app: FullApp, context: Context, parts: JobParts): void {
  const { db } = context.store
  serveOutputs(app, context, parts)
  serveArchive(app, context, parts)
  serveExport(app, context, parts)
  serveClear(app, context, parts)

  serve(app, listJobs, async (call) => {
    const { query } = call
    const locale = displayLanguage(call)
    const { page, pageSize } = readPage(query)
    const filter = readJobFilter(query, parts.profiles, context.settings.Site.TimeZone)
    const { items, total } = await reads.listJobs(db, filter, { page, pageSize })
    const approvals = await approvalsOf(db, items)
    return {
      items: items.map((job) => listItem(job, locale, approvals.get(job.id))),
      page,
      pageSize,
      totalCount: total,
    }
  })

  serve(app, readJob, async (call) => {
    const job = await requiredJob(context, call.params.id)
    const [approvals, history] = await Promise.all([approvalsOf(db, [job]), reads.historyOf(db, job.id)])
    return jobDetail(job, history, displayLanguage(call), approvals.get(job.id))
  })

  serve(app, retryJob, ({ params, caller, now }) =>
    retryBy(context, parts.profiles, { jobId: requiredId(params.id), actor: actorOf(caller), now }),
  )

  serve(app, cancelJob, ({ params, body, caller, now }) =>
    cancelBy(context, parts, { jobId: requiredId(params.id), actor: actorOf(caller), now }, body?.reason),
  )
}

const jobDetail = (
  job: JobRow,
  history: readonly HistoryLine[],
  locale: ReportLocale,
  approval: ApprovalStateView | undefined,
) => ({
  ...listItem(job, locale, approval),
  history: history.map(({ id, at, status, message, code, told }) => ({
    id,
    timestamp: at,
    status,
    message: lineIn(locale, message, told),
    ...(code !== null && { code }),
  })),
  errorFindings: [...findingsIn(locale, job.error_reason)],
  cnab240: remittanceOf(job),
  outputEncrypted: job.output_encrypted === 1,
  // The name is recorded before the file exists.
  outputFileName: job.status === 'Completed' ? job.output_name : null,
  inputFolder: job.input_folder,
  contentSha256: job.content_sha256,
  contentLength: job.content_length,
  externalReference: job.external_reference,
  inputDisposal: job.input_disposal,
  timings: {
    queueMs: job.queue_ms,
    signingMs: job.signing_ms,
    verificationMs: job.verification_ms,
    outputMs: job.output_ms,
  },
})
