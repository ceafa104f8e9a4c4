import type { Db } from '@chancela/service-kernel/store'
import type { JobRow, Tables } from './tables.ts'

/** Whose queued jobs wait. */
export type WaitingFor = Pick<JobRow, 'profile_name'> | { readonly input_folder: string }

interface WhyWaiting {
  readonly code: string
  readonly message: string
  /** JSON of the reason behind the sentence. */
  readonly reason: string | null
}

/** Lets the queued jobs of a held profile or folder carry the reason, where people look: list, detail, export. */
export const markWaiting = (db: Db<Tables>, whose: WaitingFor, { code, message, reason }: WhyWaiting) =>
  queued(db, whose, { error_code: code, error_message: message, error_reason: reason })
    .where((job) => job.or([job('error_code', 'is', null), job('error_message', '<>', message)]))
    .execute()

/** What held them is over: queued jobs carry no reason any more. */
export const markWaitingNoMore = (db: Db<Tables>, whose: WaitingFor) =>
  queued(db, whose, { error_code: null, error_message: null, error_reason: null })
    .where('error_code', 'is not', null)
    .execute()

const queued = (
  db: Db<Tables>,
  whose: WaitingFor,
  error: Pick<JobRow, 'error_code' | 'error_message' | 'error_reason'>,
) =>
  db
    .updateTable('job')
    .set(error)
    .where('status', '=', 'Queued')
    .where((job) => job.and(whose))

/** Queued jobs by folder; asked only while one is held. */
export async function queuedByFolder(db: Db<Tables>, folders: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (folders.length === 0) return new Map()
  const rows = await db
    .selectFrom('job')
    .select(({ fn }) => ['input_folder', fn.countAll<number | string>().as('n')])
    .where('status', '=', 'Queued')
    .where('input_folder', 'in', folders)
    .groupBy('input_folder')
    .execute()
  return new Map(rows.map(({ input_folder, n }) => [input_folder ?? '', Number(n)]))
}

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
