import type { Db } from '@chancela/service-kernel/store'
import type { Tables } from './tables.ts'

/** Why the queued jobs of a profile wait. */
interface Waiting {
  readonly profile: string
  readonly code: string
  readonly message: string
}

/** Lets the queued jobs of a held profile carry the reason, where people look: list, detail, export. */
export const markWaiting = (db: Db<Tables>, { profile, code, message }: Waiting) =>
  db
    .updateTable('job')
    .set({ error_code: code, error_message: message })
    .where('status', '=', 'Queued')
    .where('profile_name', '=', profile)
    .where((job) => job.or([job('error_code', 'is', null), job('error_message', '<>', message)]))
    .execute()

/** The profile signs again: its queued jobs carry no reason any more. */
export const markWaitingNoMore = (db: Db<Tables>, profile: string) =>
  db
    .updateTable('job')
    .set({ error_code: null, error_message: null })
    .where('status', '=', 'Queued')
    .where('profile_name', '=', profile)
    .where('error_code', 'is not', null)
    .execute()

/** Queued jobs by profile, from the tally. */
export async function queuedByProfile(db: Db<Tables>): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('job_tally')
    .select(({ fn }) => ['profile_name', fn.sum<number | string>('n').as('n')])
    .where('status', '=', 'Queued')
    .groupBy('profile_name')
    .execute()
  return new Map(rows.map(({ profile_name, n }) => [profile_name, Number(n)]))
}
