import { startsOf } from '@chancela/service-kernel/states'
import { type Db, hotStatement } from '@chancela/service-kernel/store'
import { claimsAsArrays, claimsAsJson } from './claims-parameters.ts'
import { type Claim, jobMoves } from './job.ts'

/**
 * Marks jobs as done in one statement and returns the ids of those that were updated. A job whose lease was lost to
 * another worker is not among them: the new holder settles it. Calling it again is harmless, as after a lost response.
 */
export async function completeJobs<Tables>(
  db: Db<Tables>,
  claims: readonly Claim[],
  now: Date,
): Promise<ReadonlySet<string>> {
  if (claims.length === 0) return new Set()
  const rows = await complete(db, { claims, now: now.toISOString() })
  return new Set(rows.map(({ id }) => id))
}

const complete = hotStatement<{ claims: readonly Claim[]; now: string }, { id: string }>('complete_jobs', {
  sqlite: {
    text: `update durable_job set state = '${jobMoves.complete.to}', finished_at = ?, updated_at = ?
      from (select value ->> 0 as id, value ->> 1 as token from json_each(?)) as held
      where durable_job.id = held.id and claim_token = held.token and state in (${startsOf(jobMoves, 'complete')})
      returning id`,
    parameters: ({ claims, now }) => [now, now, claimsAsJson(claims)],
  },
  postgres: {
    text: `update durable_job as job set state = '${jobMoves.complete.to}', finished_at = $1, updated_at = $1
      from unnest($2::text[], $3::text[]) as held (id, token)
      where job.id = held.id and job.claim_token = held.token and job.state in (${startsOf(jobMoves, 'complete')})
      returning job.id`,
    parameters: ({ claims, now }) => [now, ...claimsAsArrays(claims)],
  },
})
