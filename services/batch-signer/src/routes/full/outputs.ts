import { attachment, serve } from '@chancela/service-kernel/http'
import { hasOutput, mediaTypeOf, type OutputParts, openOutput } from '../../actions/job-output.ts'
import type { Context } from '../../context.ts'
import { readOutput } from '../../contract/jobs.ts'
import { refuse } from '../../rules/refuse.ts'
import type { FullApp } from './full-app.ts'
import { requiredJob } from './job-views.ts'

/** Registers the outputs of completed jobs. */
export function serveOutputs(app: FullApp, context: Context, parts: OutputParts): void {
  serve(app, readOutput, async ({ params, reply }) => {
    const job = await requiredJob(context, params.id)
    if (!hasOutput(job)) throw refuse('job.output-unavailable', { jobId: job.id, status: job.status })
    const output = await openOutput(parts, job)
    if (!output) throw refuse('job.output-gone', { jobId: job.id })
    reply
      .type(mediaTypeOf(output.name))
      .header('content-length', output.length)
      .header('content-disposition', attachment(output.name))
    return output.file.createReadStream()
  })
}
