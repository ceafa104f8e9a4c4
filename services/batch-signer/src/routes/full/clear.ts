import { serve } from '@chancela/service-kernel/http'
import * as clear from '../../actions/clear-jobs.ts'
import type { Context } from '../../context.ts'
import { clearJobs } from '../../contract/jobs.ts'
import { actorOf } from '../operator-access.ts'
import type { FullApp } from './full-app.ts'
import type { JobParts } from './job-views.ts'

/** Registers Clear Jobs. */
export function serveClear(app: FullApp, context: Context, parts: Pick<JobParts, 'work' | 'inputs'>): void {
  // Serialized: concurrent runs would count, and try to remove, the same files.
  let last: Promise<unknown> = Promise.resolve()
  serve(app, clearJobs, ({ caller, now }) => {
    const run = () => clear.clearJobs(context, parts, { actor: actorOf(caller), now })
    const mine = last.then(run, run)
    last = mine
    return mine
  })
}
