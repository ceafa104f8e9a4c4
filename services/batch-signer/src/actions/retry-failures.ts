import { Refusal } from '@chancela/service-kernel/errors'
import type { Context } from '../context.ts'
import type { ProfileDirectory } from '../parts/signing/signing.ts'
import type { Actor } from '../rules/actor.ts'
import { said, telling } from '../rules/sentences.ts'
import { type FailurePlace, type FailureRange, failuresOf } from '../store/failures.ts'
import { retryJob } from './retry-job.ts'

/** Failures of one call: a few seconds of work, and 30,000 a minute under the default limit of calls. */
const PER_CALL = 500

/** Retried side by side: their changes share a transaction. */
const AT_ONCE = 32

interface Order extends FailureRange {
  readonly after: FailurePlace | undefined
  readonly actor: Actor
}

interface Refused {
  readonly code: string
  readonly jobId: string
}

/**
 * Retries the failures of one cause, each under the rules of a single retry. Repeating a call takes nothing twice: a
 * failure that was retried is no longer among them.
 */
export async function retryFailures(
  context: Pick<Context, 'store' | 'ledger' | 'events'>,
  profiles: Pick<ProfileDirectory, 'get'>,
  { after, actor, ...range }: Order,
  now: Date,
) {
  const failures = await failuresOf(context.store.db, range, after, PER_CALL)
  const refused: Refused[] = []
  for (let from = 0; from < failures.length; from += AT_ONCE) {
    const turn = failures.slice(from, from + AT_ONCE)
    const results = await Promise.all(turn.map(({ id }) => attempt(() => retryJob(context, profiles, id, now), id)))
    refused.push(...results.filter((result) => result !== undefined))
  }
  const taken = failures.length - refused.length
  if (failures.length > 0) await record(context, { actor, range, taken, refused })
  const next = failures.length === PER_CALL ? failures.at(-1)! : null
  return { taken, refused: byCode(refused), until: range.until, next }
}

/** A refusal is the result of its job; any other error is a bug and fails the whole call. */
async function attempt(retry: () => Promise<unknown>, jobId: string): Promise<Refused | undefined> {
  try {
    await retry()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, jobId }
    throw error
  }
}

/** How many were refused for each reason, with one of them to look at. */
function byCode(refused: readonly Refused[]) {
  const codes = [...new Set(refused.map(({ code }) => code))]
  return codes.map((code) => {
    const same = refused.filter((one) => one.code === code)
    return { code, count: same.length, jobId: same[0]!.jobId }
  })
}

async function record(
  { events, store }: Pick<Context, 'events' | 'store'>,
  outcome: { actor: Actor; range: FailureRange; taken: number; refused: readonly Refused[] },
): Promise<void> {
  const { actor, range, taken, refused } = outcome
  const counts = { taken, refused: refused.length }
  await events.record(store.db, {
    type: 'FailuresRetried',
    actor,
    code: range.cause.split('/')[0]!,
    ...telling(said('failures-retried', { cause: range.cause, since: range.since, ...counts }), {
      ...range,
      ...counts,
    }),
  })
}
