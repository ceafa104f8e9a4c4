import { plus, SECOND } from '@chancela/service-kernel/clock'
import { type Db, hotStatement } from '@chancela/service-kernel/store'
import { claimsAsArrays, claimsAsJson } from './claims-parameters.ts'
import type { Claim } from './job.ts'

/** Renews the leases of claimed jobs from now and returns the ids of those still held; the others were lost. */
export async function extendLeases<Tables>(
  db: Db<Tables>,
  claims: readonly Claim[],
  leaseSeconds: number,
  now: Date,
): Promise<ReadonlySet<string>> {
  if (claims.length === 0) return new Set()
  const leaseUntil = plus(now, leaseSeconds * SECOND).toISOString()
  const rows = await extend(db, { claims, leaseUntil, now: now.toISOString() })
  return new Set(rows.map(({ id }) => id))
}

const extend = hotStatement<{ claims: readonly Claim[]; leaseUntil: string; now: string }, { id: string }>(
  'extend_leases',
  {
    sqlite: {
      text: `update durable_job set due_at = ?, updated_at = ?
        from (select value ->> 0 as id, value ->> 1 as token from json_each(?)) as held
        where durable_job.id = held.id and claim_token = held.token and state = 'claimed'
        returning id`,
      parameters: ({ claims, leaseUntil, now }) => [leaseUntil, now, claimsAsJson(claims)],
    },
    postgres: {
      text: `update durable_job as job set due_at = $1, updated_at = $2
        from unnest($3::text[], $4::text[]) as held (id, token)
        where job.id = held.id and job.claim_token = held.token and job.state = 'claimed'
        returning job.id`,
      parameters: ({ claims, leaseUntil, now }) => [leaseUntil, now, ...claimsAsArrays(claims)],
    },
  },
)
