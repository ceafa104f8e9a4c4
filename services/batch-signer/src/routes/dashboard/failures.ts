import { DAY, plus } from '@chancela/service-kernel/clock'
import { serve } from '@chancela/service-kernel/http'
import * as retry from '../../actions/retry-failures.ts'
import type { Context } from '../../context.ts'
import { listFailures, retryFailures } from '../../contract/dashboard-failures.ts'
import type { LiveTopics } from '../../parts/live-topics.ts'
import type { ProfileDirectory } from '../../parts/signing/signing.ts'
import { errorMessageIn } from '../../rules/job-reason.ts'
import { refuse } from '../../rules/refuse.ts'
import { failureCauses } from '../../store/failures.ts'
import { displayLanguage } from '../full/culture.ts'
import { momentOf } from '../full/event-filter.ts'
import type { FullApp } from '../full/full-app.ts'
import { actorOf } from '../operator-access.ts'

export interface FailureParts {
  readonly profiles: ProfileDirectory
  readonly live: LiveTopics
}

/** Registers the failures by their cause, and their retry. */
export function serveFailures(app: FullApp, context: Context, { profiles, live }: FailureParts): void {
  const zone = context.settings.Site.TimeZone
  serve(app, listFailures, async (call) => {
    const { query, now } = call
    const locale = displayLanguage(call)
    const since = query.since === undefined ? plus(now, -DAY).toISOString() : timeOf('since', query.since, zone)
    const causes = await failureCauses(context.store.db, since)
    return {
      since,
      causes: causes.map((one) => ({
        cause: one.error_cause,
        code: one.error_code!,
        count: one.count,
        newestAt: one.finished_at!,
        // The rule of names refuses a retry, too.
        retriable: one.error_code !== 'file.already-processed',
        example: { jobId: one.id, fileName: one.file_name, errorMessage: errorMessageIn(locale, one) },
      })),
    }
  })

  serve(app, retryFailures, async ({ body, caller, now }) => {
    const order = {
      cause: body.cause,
      since: timeOf('since', body.since, zone),
      until: body.until === undefined ? now.toISOString() : timeOf('until', body.until, zone),
      after: body.after ? { ...body.after, at: timeOf('after.at', body.after.at, zone) } : undefined,
      actor: actorOf(caller),
    }
    const result = await retry.retryFailures(context, profiles, order, now)
    live.announce('jobs')
    return result
  })
}

/** A moment as the store writes them, so that they compare as text. */
function timeOf(field: string, value: unknown, timeZone: string): string {
  if (typeof value !== 'string') throw refuse('validation.filter-invalid', { field })
  return momentOf(field, value, timeZone).toISOString()
}
