// What operators do to one job: its history says what happened, and the event who did it and from where.
import type { Context } from '../context.ts'
import type { ProfileDirectory } from '../parts/signing/signing.ts'
import { type Actor, nameOf } from '../rules/actor.ts'
import { reasonOf } from '../rules/pause.ts'
import { type Said, said, telling, together } from '../rules/sentences.ts'
import { cancelJob } from './cancel-job.ts'
import { retryJob } from './retry-job.ts'

type ActContext = Pick<Context, 'store' | 'ledger' | 'events' | 'logger'>

/** Who acts, on which job. */
interface JobAct {
  readonly jobId: string
  readonly actor: Actor
  readonly now: Date
}

/** The same as `retryJob`, for an operator. */
export async function retryBy(
  context: ActContext,
  profiles: Pick<ProfileDirectory, 'get'>,
  { jobId, actor, now }: JobAct,
): ReturnType<typeof retryJob> {
  const retried = await retryJob(context, profiles, jobId, now)
  const what = said('job-retried-by', { job: jobId, retry: retried.newJobId, actor: nameOf(actor) })
  await record(context, 'JobRetried', { jobId, actor }, what)
  return retried
}

/** The same as `cancelJob`, for an operator. */
export async function cancelBy(
  context: ActContext,
  parts: Parameters<typeof cancelJob>[1],
  { jobId, actor, now }: JobAct,
  reason: string | null | undefined,
): ReturnType<typeof cancelJob> {
  const canceled = await cancelJob(context, parts, jobId, reason, now)
  const given = reasonOf(reason)
  const what = together(
    said('job-canceled-by', { job: jobId, actor: nameOf(actor) }),
    given !== undefined && said('reason-given', { reason: given }),
  )
  await record(context, 'JobCanceled', { jobId, actor }, what)
  return canceled
}

const record = (
  { events, store }: ActContext,
  type: 'JobRetried' | 'JobCanceled',
  { jobId, actor }: Omit<JobAct, 'now'>,
  what: Said,
) => events.record(store.db, { type, actor, subject: { kind: 'job', id: jobId }, ...telling(what) })
