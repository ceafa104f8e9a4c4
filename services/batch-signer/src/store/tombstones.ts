import { type Db, hotStatement, jsonRows } from '@chancela/service-kernel/store'
import { sql } from 'kysely'
import type { HoldReason } from '../rules/folder-place.ts'
import type { InputTombstoneRow, JobRow, Tables } from './tables.ts'

type NewTombstone = InputTombstoneRow

const COLUMNS = [
  ['path', 'text'],
  ['folder', 'text'],
  ['identity', 'text'],
  ['sha256', 'text'],
  ['verdict', 'text'],
  ['code', 'text'],
  ['job_id', 'text'],
  ['at', 'text'],
] as const

const NAMES = COLUMNS.map(([name]) => name)

const insertText = (source: string, conflict: string, where: string) =>
  `insert into input_tombstone (${NAMES.join(', ')}) select ${NAMES.join(', ')} from ${source} as fresh where ${where}
   on conflict (path) do ${conflict}`

const inserting = (name: string, conflict: string, where = 'true') =>
  hotStatement<readonly NewTombstone[], never>(name, {
    sqlite: { text: insertText(jsonRows.sqlite(COLUMNS), conflict, where), parameters },
    postgres: { text: insertText(jsonRows.postgres(COLUMNS), conflict, where), parameters },
  })

const parameters = (rows: readonly NewTombstone[]) => [
  JSON.stringify(rows.map((row) => NAMES.map((name) => row[name]))),
]

const REPLACED = `update set ${NAMES.slice(1)
  .map((name) => `${name} = excluded.${name}`)
  .join(', ')}`

/** Records which file at each path must not be taken again; replaces what was recorded of another file there. */
export const putTombstones = inserting('batch_put_tombstones', REPLACED)

/**
 * The same, unless that file is held: its waiting job ended by the hold, which an operator's word must find; or has a
 * job again, because an operator's word came while the file was looked at.
 */
export const buryUnheld = inserting(
  'batch_bury_unheld',
  `${REPLACED} where input_tombstone.verdict <> 'Held' or input_tombstone.identity <> excluded.identity`,
  'not exists (select 1 from job where job.active_path = fresh.path)',
)

/** The same, unless a tombstone of the job is there: it was made when the file was looked at, and knows more. */
const addTombstones = inserting('batch_add_tombstones', `${REPLACED} where input_tombstone.at < excluded.at`)

/** The columns of a job that a tombstone is made of. */
export type BuriedJob = Pick<
  JobRow,
  | 'id'
  | 'original_path'
  | 'input_folder'
  | 'input_identity'
  | 'content_sha256'
  | 'status'
  | 'error_code'
  | 'finished_at'
>

/**
 * Whether the input of an ended job is refused: it was in a watched folder and was not signed. One refused for its name
 * was moved to error/ and lies there no more.
 */
export const isRefusedInput = ({ status, input_folder, original_path, error_code }: BuriedJob): boolean =>
  (status === 'Failed' || status === 'Canceled') &&
  input_folder !== null &&
  original_path !== null &&
  error_code !== 'file.already-processed'

export const tombstoneOf = (job: BuriedJob): NewTombstone => ({
  path: job.original_path!,
  folder: job.input_folder!,
  identity: job.input_identity,
  sha256: job.content_sha256,
  verdict: job.status as NewTombstone['verdict'],
  code: job.error_code,
  job_id: job.id,
  at: job.finished_at ?? '',
})

/** Before jobs are deleted: their refused inputs stay refused. */
export async function outlive(tx: Db<Tables>, jobs: readonly BuriedJob[]): Promise<void> {
  const refused = jobs.filter(isRefusedInput).map(tombstoneOf)
  // Of several jobs of one path the newest counts; one statement cannot touch a row twice.
  const newest = new Map(refused.sort((a, b) => (a.at < b.at ? -1 : 1)).map((row) => [row.path, row]))
  if (newest.size > 0) await addTombstones(tx, [...newest.values()])
}

/** Files of these paths may be taken again: they are gone, or an operator said so. */
export async function removeTombstones(db: Db<Tables>, paths: readonly string[]): Promise<void> {
  if (paths.length > 0)
    await db
      .deleteFrom('input_tombstone')
      .where('path', 'in', [...paths])
      .execute()
}

/** Paths of a folder that have a tombstone made since a time, in chunks. */
export async function* tombstonePaths(
  db: Db<Tables>,
  { folder, since, most = 500 }: { folder: string; since: string; most?: number },
): AsyncGenerator<readonly string[]> {
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('input_tombstone')
      .select('path')
      .where('folder', '=', folder)
      .where('path', '>', after)
      .where('at', '>=', since)
      .orderBy('path')
      .limit(most)
      .execute()
    if (rows.length === 0) return
    after = rows.at(-1)!.path
    yield rows.map(({ path }) => path)
  }
}

/** What of a folder is not taken. */
interface Untaken {
  readonly refused: number
  readonly held: number
  /** Why files are held. */
  readonly reason: HoldReason | undefined
}

/** How many files of each folder are refused, and how many are held. */
export async function countTombstones(db: Db<Tables>): Promise<ReadonlyMap<string, Untaken>> {
  const rows = await db
    .selectFrom('input_tombstone')
    .select(['folder', sql<number | string>`sum(case when verdict = 'Held' then 1 else 0 end)`.as('held')])
    .select((eb) => eb.fn.countAll<number | string>().as('n'))
    .select(sql<HoldReason | null>`max(case when verdict = 'Held' then code end)`.as('reason'))
    .groupBy('folder')
    .execute()
  return new Map(
    rows.map(({ folder, n, held, reason }) => [
      folder,
      { refused: Number(n) - Number(held), held: Number(held), reason: reason ?? undefined },
    ]),
  )
}

/** The held files of a folder may be taken; returns how many there were. */
export async function releaseHeld(db: Db<Tables>, folder: string): Promise<number> {
  const gone = await db
    .deleteFrom('input_tombstone')
    .where('folder', '=', folder)
    .where('verdict', '=', 'Held')
    .executeTakeFirstOrThrow()
  return Number(gone.numDeletedRows)
}
