import { attachment, serve } from '@chancela/service-kernel/http'
import { retryBy } from '../../actions/job-acts.ts'
import { hasOutput, mediaTypeOf, openOutput } from '../../actions/job-output.ts'
import type { Context } from '../../context.ts'
import { compactRoutes } from '../../contract/compact.ts'
import type { ProfileDirectory } from '../../parts/signing/signing.ts'
import { compactEvents, compactJob, compactStatus } from '../../rules/compact-view.ts'
import { refuse } from '../../rules/refuse.ts'
import { compactPage } from '../../store/compact-reads.ts'
import { isCleanedAway } from '../../store/ended-jobs.ts'
import { historyOf } from '../../store/job-reads.ts'
import type { JobRow } from '../../store/tables.ts'
import type { WorkArea } from '../../upstream/storage/storage.ts'
import { displayLanguage } from '../full/culture.ts'
import { requiredId, requiredJob } from '../full/job-views.ts'
import { actorOf } from '../operator-access.ts'
import type { CompactApp } from './access.ts'
import { requireFreeName } from './free-name.ts'
import { compactLinks } from './job-links.ts'
import { compactFilter } from './list-filter.ts'
import { putBack } from './put-back.ts'

/** What the jobs of the compact variant need. */
export interface CompactJobs {
  readonly profiles: ProfileDirectory
  readonly work: Pick<WorkArea, 'errorFile' | 'outputPath' | 'waitingOutput' | 'isProcessing'>
}

// The full surface looks for outputs under the current naming rules; this variant has no profiles: without a profile
// the name is the one the file was written with.
const asWritten = { get: () => undefined }

/** Jobs: the list, one with its events, its output, its retry. */
export function serveCompactJobs(app: CompactApp, context: Context, parts: CompactJobs): void {
  const { db } = context.store
  const encryptsByDefault = (profileName: string): boolean => parts.profiles.get(profileName)?.encrypt ?? false
  const encryptingProfiles = () => parts.profiles.list().flatMap(({ name, encrypt }) => (encrypt ? [name] : []))

  serve(app, compactRoutes.listJobs, async (call) => {
    const { query } = call
    const { page, pageSize } = query
    const filter = compactFilter(query, encryptingProfiles)
    const { total, rows } = await compactPage(db, filter, { offset: (page - 1) * pageSize, limit: pageSize })
    return {
      total,
      page,
      pageSize,
      items: rows.map((row) => compactJob(row, encryptsByDefault, displayLanguage(call))),
    }
  })

  serve(app, compactRoutes.readJob, async (call) => {
    const job = await requiredJob(context, call.params.jobId)
    return {
      ...compactJob(job, encryptsByDefault, displayLanguage(call)),
      contentSha256: job.content_sha256,
      contentLength: job.content_length,
      ...compactLinks(context, job.id),
      events: compactEvents(await historyOf(db, job.id), displayLanguage(call)),
    }
  })

  serve(app, compactRoutes.readOutput, async ({ params, reply }) => {
    const job = await jobWithOutput(params.jobId)
    if (!hasOutput(job)) throw refuse('job.output-unavailable', { jobId: job.id, status: job.status })
    const output = await openOutput({ work: parts.work, profiles: asWritten }, job)
    if (!output) throw refuse('job.output-gone', { jobId: job.id })
    reply
      .type(mediaTypeOf(output.name))
      .header('content-length', output.length)
      .header('content-disposition', attachment(output.name))
    return output.file.createReadStream()
  })

  serve(app, compactRoutes.retryJob, async ({ params, caller, now }) => {
    const job = await requiredJob(context, params.jobId)
    await requireInput(job, await retriableCopy(job))
    const { newJobId } = await retryBy(context, parts.profiles, { jobId: job.id, actor: actorOf(caller), now })
    return { jobId: newJobId, retryOf: job.id }
  })

  /** The job of an output: retention deletes both, and says so (spec 2, Compact). */
  async function jobWithOutput(jobId: string): Promise<JobRow> {
    const id = requiredId(jobId)
    if (await isCleanedAway(db, id)) throw refuse('job.output-gone', { jobId })
    return requiredJob(context, id)
  }

  /** The file under error/ of a job to retry. A rejected file would be rejected again: only Failed jobs are retried. */
  async function retriableCopy({ id: jobId, status, error_code, file_name: fileName }: JobRow): Promise<string> {
    if (compactStatus(status, error_code) !== 'Failed') throw refuse('job.not-failed', { jobId })
    const copy = await parts.work.errorFile(jobId, fileName)
    if (copy === undefined) throw refuse('job.input-missing', { jobId })
    await requireFreeName({ db, work: parts.work }, fileName)
    return copy
  }
}

/** Restores the original in the input folder if it is gone; without a folder there is nowhere to put it. */
async function requireInput({ id: jobId, original_path }: JobRow, copy: string): Promise<void> {
  if (original_path === null) throw refuse('job.input-missing', { jobId })
  try {
    await putBack(copy, original_path)
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? refuse('job.input-missing', { jobId }) : error
  }
}
