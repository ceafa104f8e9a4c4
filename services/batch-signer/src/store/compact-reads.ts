import { plus } from '@chancela/service-kernel/clock'
import type { Db } from '@chancela/service-kernel/store'
import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { CompactSource, CompactStatus } from '../contract/compact.ts'
import {
  type CompactRow,
  compactColumns,
  compactSource,
  compactStatus,
  rejectionCodes,
  sourcesOf,
  statusesOf,
} from '../rules/compact-view.ts'
import { activeStatuses, nameKey, type SignatureFormat } from '../rules/job.ts'
import type { JobTallyRow, Tables } from './tables.ts'

/** The filter of a list of the compact variant; absent fields do not filter. */
export interface CompactFilter {
  readonly status?: CompactStatus
  readonly source?: CompactSource
  readonly signatureFormat?: SignatureFormat
  /** With the names of the profiles that encrypt by default. */
  readonly encryption?: { readonly enabled: boolean; readonly encryptingProfiles: readonly string[] }
  readonly filenameContains?: string
  readonly externalReferenceContains?: string
  /** ISO 8601, both ends included. */
  readonly createdFrom?: string
  readonly createdTo?: string
}

/** Which part of a list. */
interface Window {
  readonly offset: number
  readonly limit: number
}

/** One page of the matching jobs, newest first, and their total number. */
export async function compactPage(
  db: Db<Tables>,
  filter: CompactFilter,
  window: Window,
): Promise<{ readonly total: number; readonly rows: readonly CompactRow[] }> {
  const { total, ids } = isIndexed(filter) ? await lookedUp(db, filter, window) : await searched(db, filter, window)
  if (ids.length === 0) return { total, rows: [] }
  const rows = await db
    .selectFrom('job')
    .select(compactColumns)
    .where('id', 'in', ids)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return { total, rows }
}

/** Whether an active job holds a file of this name: the "same-named file in the Processing folder" of spec 2, Compact. */
export async function isNameActive(db: Db<Tables>, fileName: string): Promise<boolean> {
  const holder = await db
    .selectFrom('job')
    .select('id')
    .where('name_key', '=', nameKey(fileName))
    // The condition of the index `job_name`, so that it is used.
    .where(sql<SqlBool>`status not in ('Failed', 'Canceled')`)
    .where('status', 'in', [...activeStatuses])
    .executeTakeFirst()
  return holder !== undefined
}

/** The counts of the compact variant's metrics. */
export async function compactMetrics(db: Db<Tables>) {
  const tally = await db.selectFrom('job_tally').selectAll().execute()
  const rejectedJobs = await rowCount(filtered(db, { status: 'Rejected' }))
  const ended = await endedSince(db)
  const byStatus = grouped(tally, ({ status }) => compactStatus(status, null))
  return {
    totalJobs: sum(tally),
    pendingJobs: byStatus.Pending ?? 0,
    processingJobs: byStatus.Processing ?? 0,
    completedJobs: byStatus.Completed ?? 0,
    failedJobs: (byStatus.Failed ?? 0) - rejectedJobs,
    rejectedJobs,
    jobsBySource: await bySource(db, tally),
    jobsBySignatureFormat: grouped(tally, ({ format }) => format),
    averageProcessingMs: ended.completed > 0 ? Math.round((ended.milliseconds / ended.completed) * 10) / 10 : 0,
    lastSuccessfulUtc: await lastEnd(db, 'Completed', ended.lastCompleted),
    lastFailedUtc: await lastEnd(db, 'Failed', ended.lastFailed),
  }
}

/** The tally knows no folders: the few retries of uploads are counted apart. */
async function bySource(db: Db<Tables>, tally: readonly JobTallyRow[]): Promise<Record<string, number>> {
  const counts = grouped(tally, ({ source }) => compactSource({ source, input_folder: '' }))
  const retries = await rowCount(filtered(db, {}).where(isUploadRetry))
  const moved = { RestApi: (counts.RestApi ?? 0) + retries, WatchedFolder: (counts.WatchedFolder ?? 0) - retries }
  return Object.fromEntries(Object.entries(moved).filter(([, n]) => n !== 0))
}

const isUploadRetry = sql<SqlBool>`source = 'Retry' and input_folder is null`

interface Found {
  readonly total: number
  readonly ids: readonly string[]
}

const isIndexed = (filter: CompactFilter): boolean =>
  filter.encryption === undefined &&
  filter.filenameContains === undefined &&
  filter.externalReferenceContains === undefined &&
  filter.createdFrom === undefined &&
  filter.createdTo === undefined

/** States, sources and formats have counts in the tally, and an index in list order. */
async function lookedUp(db: Db<Tables>, filter: CompactFilter, window: Window): Promise<Found> {
  const total = await talliedCount(db, filter)
  return { total, ids: window.offset < total ? await idsIn(filtered(db, filter), window) : [] }
}

async function talliedCount(db: Db<Tables>, filter: CompactFilter): Promise<number> {
  const rows = await db.selectFrom('job_tally').selectAll().execute()
  const counted = sum(rows.filter((row) => isInTally(row, filter))) + (await retriesBeyondTally(db, filter))
  if (filter.status !== 'Failed' && filter.status !== 'Rejected') return counted
  const rejected = await rowCount(filtered(db, { ...filter, status: 'Rejected' }))
  return filter.status === 'Rejected' ? rejected : counted - rejected
}

/** What the tally has under the other source. */
async function retriesBeyondTally(db: Db<Tables>, { source, status, signatureFormat }: CompactFilter): Promise<number> {
  if (source === undefined) return 0
  // A rejected job is a failed one in the tally.
  const statuses = status === undefined ? undefined : statusesOf(status)
  const retries = await rowCount(
    filtered(db, { ...(signatureFormat && { signatureFormat }) })
      .where(isUploadRetry)
      .$if(statuses !== undefined, (query) => query.where('status', 'in', [...(statuses ?? [])])),
  )
  return source === 'RestApi' ? retries : -retries
}

/** Conditions without an index are checked job by job, in slices, so that a search never blocks the queue for long. */
async function searched(db: Db<Tables>, filter: CompactFilter, { offset, limit }: Window): Promise<Found> {
  const ids: string[] = []
  let total = 0
  for await (const slice of slicesOf(db, filter)) {
    const n = await rowCount(filtered(db, slice))
    const rest = { offset: Math.max(0, offset - total), limit: limit - ids.length }
    if (rest.limit > 0 && rest.offset < n) ids.push(...(await idsIn(filtered(db, slice), rest)))
    total += n
  }
  return { total, ids }
}

/** Jobs checked per query: on SQLite every other query waits meanwhile, 5 to 20 ms. */
const SLICE = 20_000

/** The filter, once for each time range with about this many jobs; newest first. */
async function* slicesOf(db: Db<Tables>, filter: CompactFilter): AsyncGenerator<CompactFilter, void> {
  let createdTo = filter.createdTo
  for (;;) {
    const bounded = { ...(createdTo !== undefined && { createdTo }) }
    const [next] = await filtered(db, bounded).select('created_at').$call(newestFirst).limit(1).offset(SLICE).execute()
    const isLast = !next || (filter.createdFrom !== undefined && next.created_at <= filter.createdFrom)
    yield { ...filter, ...bounded, ...(!isLast && { createdFrom: next.created_at }) }
    if (isLast) return
    // A slice holds all jobs of its first instant, so that each starts earlier than the one before.
    createdTo = plus(new Date(next.created_at), -1).toISOString()
  }
}

const isInTally = (row: JobTallyRow, { status, source, signatureFormat }: CompactFilter): boolean =>
  (status === undefined || statusesOf(status).includes(row.status)) &&
  (source === undefined || sourcesOf(source).includes(row.source)) &&
  (signatureFormat === undefined || row.format === signatureFormat)

type Jobs = SelectQueryBuilder<Tables, 'job', object>

async function rowCount(query: Jobs): Promise<number> {
  const { n } = await query.select((eb) => eb.fn.countAll().as('n')).executeTakeFirstOrThrow()
  return Number(n)
}

async function idsIn(query: Jobs, { offset, limit }: Window): Promise<readonly string[]> {
  // Only ids: a deep page then scans an index instead of rows.
  const rows = await query.select('id').$call(newestFirst).limit(limit).offset(offset).execute()
  return rows.map(({ id }) => id)
}

const newestFirst = <O>(query: SelectQueryBuilder<Tables, 'job', O>) =>
  query.orderBy('created_at', 'desc').orderBy('id', 'desc')

function filtered(db: Db<Tables>, filter: CompactFilter): Jobs {
  const { status, source, signatureFormat, encryption, createdFrom, createdTo } = filter
  return db
    .selectFrom('job')
    .$if(status !== undefined, (q) => q.where(inStatus(status as CompactStatus)))
    .$if(source !== undefined, (q) => q.where(fromSource(source as CompactSource)))
    .$if(signatureFormat !== undefined, (q) => q.where('format', '=', signatureFormat as SignatureFormat))
    .$if(encryption !== undefined, (q) => q.where(isEncrypted(encryption as NonNullable<typeof encryption>)))
    .$if(filter.filenameContains !== undefined, (q) =>
      q.where(sql<SqlBool>`name_key like ${containing(nameKey(filter.filenameContains as string))} escape '\\'`),
    )
    .$if(filter.externalReferenceContains !== undefined, (q) =>
      q.where(
        sql<SqlBool>`lower(external_reference)
          like lower(${containing(filter.externalReferenceContains as string)}) escape '\\'`,
      ),
    )
    .$if(createdFrom !== undefined, (q) => q.where('created_at', '>=', createdFrom as string))
    .$if(createdTo !== undefined, (q) => q.where('created_at', '<=', createdTo as string))
}

const fromSource = (source: CompactSource): Expression<SqlBool> =>
  source === 'RestApi'
    ? sql<SqlBool>`(source in (${literals(sourcesOf(source))}) or (${isUploadRetry}))`
    : sql<SqlBool>`(source in (${literals(sourcesOf(source))}) and not (${isUploadRetry}))`

const containing = (text: string): string => `%${text.replace(/[\\%_]/g, (one) => `\\${one}`)}%`

const literals = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(', '))

// Literals, not parameters: SQLite uses `job_rejected` only for a query that repeats its condition literally.
function inStatus(status: CompactStatus): Expression<SqlBool> {
  const codes = literals(rejectionCodes)
  if (status === 'Rejected') return sql<SqlBool>`status = 'Failed' and error_code in (${codes})`
  if (status === 'Failed') return sql<SqlBool>`status = 'Failed' and error_code not in (${codes})`
  return sql<SqlBool>`status in (${literals(statusesOf(status))})`
}

// The same decision as `isEncrypted` of the view, per row.
function isEncrypted({ enabled, encryptingProfiles }: NonNullable<CompactFilter['encryption']>): Expression<SqlBool> {
  const byProfile =
    encryptingProfiles.length === 0
      ? sql`0`
      : sql`case when profile_name in (${sql.join(encryptingProfiles)}) then 1 else 0 end`
  return sql<SqlBool>`case when status = 'Completed' then output_encrypted
    else coalesce(encryption_requested, ${byProfile}) end = ${enabled ? 1 : 0}`
}

const sum = (rows: readonly Pick<JobTallyRow, 'n'>[]): number => rows.reduce((total, { n }) => total + n, 0)

function grouped(rows: readonly JobTallyRow[], keyOf: (row: JobTallyRow) => string): Record<string, number> {
  const groups: Record<string, number> = {}
  for (const row of rows) if (row.n !== 0) groups[keyOf(row)] = (groups[keyOf(row)] ?? 0) + row.n
  return groups
}

/** Sums of the minutes since the last reset: one row per minute, however many jobs ended in it. */
async function endedSince(db: Db<Tables>) {
  const { statistics_since } = await db
    .selectFrom('pipeline_state')
    .select('statistics_since')
    .executeTakeFirstOrThrow()
  const row = await db
    .selectFrom('throughput')
    .select((eb) => [
      eb.fn.sum<number | null>('completed').as('completed'),
      sql<number | null>`sum(signing_ms + verification_ms + output_ms)`.as('milliseconds'),
      sql<string | null>`max(case when completed > 0 then minute end)`.as('lastCompleted'),
      sql<string | null>`max(case when failed > 0 then minute end)`.as('lastFailed'),
    ])
    .where('minute', '>=', statistics_since.slice(0, 16))
    .executeTakeFirstOrThrow()
  return { ...row, completed: Number(row.completed ?? 0), milliseconds: Number(row.milliseconds ?? 0) }
}

/** When the last job ended in this state, searched only within its minute, not among all ended jobs. */
async function lastEnd(db: Db<Tables>, status: 'Completed' | 'Failed', minute: string | null): Promise<string | null> {
  if (minute === null) return null
  // The state is outside the condition, or the plan would scan every job in that state.
  const { at } = await db
    .selectFrom('job')
    .select(sql<string | null>`max(case when status = ${status} then finished_at end)`.as('at'))
    .where('finished_at', '>=', `${minute}:00.000Z`)
    .where('finished_at', '<=', `${minute}:59.999Z`)
    .executeTakeFirstOrThrow()
  // The jobs of that minute may have been deleted since.
  return at ?? `${minute}:00.000Z`
}
