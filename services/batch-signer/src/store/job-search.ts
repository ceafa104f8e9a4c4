// Finds the jobs of a page without scanning those before it: the calendar gives the minutes in which they were created,
// and only those minutes are searched. Skipping 0.5 million index entries would take 20 to 60 ms.
import { DAY, MINUTE, plus } from '@chancela/service-kernel/clock'
import { type Db, dialectOf } from '@chancela/service-kernel/store'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isEnd, type JobStatus, nameKey } from '../rules/job.ts'
import type { JobFilter } from '../rules/job-filter.ts'
import type { Tables } from './tables.ts'

/** Ids of the jobs from `offset` on, newest first, and their total number. */
interface FoundJobs {
  readonly ids: readonly string[]
  readonly total: number
}

/** Which part of a list. */
export interface Window {
  readonly offset: number
  readonly limit: number
}

/** Finds the jobs that match a filter, newest first. */
export async function searchJobs(db: Db<Tables>, filter: JobFilter, window: Window): Promise<FoundJobs> {
  if (filter.fileName !== undefined) return searchNames(db, filter, window)
  if (filter.status !== undefined && !isEnd(filter.status)) return searchActive(db, filter, filter.status, window)
  const days = await daySpans(db, filter)
  const total = sum(days)
  if (window.offset >= total) return { ids: [], total }
  const ids = isShallow(filter, window)
    ? await idsIn(db, filter, window)
    : await idsOfSpans(db, filter, await spansAt(db, filter, days, window))
  return { ids, total }
}

/** Index entries that are skipped faster than the calendar is read. */
const SHALLOW = 2_000

const isShallow = (filter: JobFilter, { offset, limit }: Window): boolean =>
  offset + limit <= SHALLOW && isIndexed(filter)

/** Whether one index contains exactly the matching jobs in their order: all, of a profile, or of a status. */
const isIndexed = ({ status, profile, format, source }: JobFilter): boolean =>
  format === undefined && source === undefined && (status === undefined || profile === undefined)

/** Active jobs are few, and the calendar does not distinguish them. */
async function searchActive(db: Db<Tables>, filter: JobFilter, status: JobStatus, window: Window): Promise<FoundJobs> {
  const { n } = isUndated(filter) ? await tallied(db, filter, status) : await counted(db, conditionsOf(filter))
  const total = Number(n ?? 0)
  return { ids: window.offset < total ? await idsIn(db, filter, window) : [], total }
}

const isUndated = ({ from, to }: JobFilter): boolean => from === undefined && to === undefined

type Count = { readonly n: number | string | null }

const tallied = (db: Db<Tables>, { profile, format, source }: JobFilter, status: JobStatus): Promise<Count> =>
  db
    .selectFrom('job_tally')
    .select((eb) => eb.fn.sum<number | string | null>('n').as('n'))
    .where('status', '=', status)
    .$if(profile !== undefined, (query) => query.where('profile_name', '=', profile!))
    .$if(format !== undefined, (query) => query.where('format', '=', format!))
    .$if(source !== undefined, (query) => query.where('source', '=', source!))
    .executeTakeFirstOrThrow()

async function counted(db: Db<Tables>, conditions: readonly Condition[]): Promise<Count> {
  const { rows } = await sql<Count>`select count(*) as n from job ${where(conditions)}`.execute(db)
  return rows[0]!
}

type Condition = RawBuilder<SqlBool>

/** The conditions of a filter on the rows of `job`, except the one on the name. */
function conditionsOf({ status, profile, format, source, from, to }: JobFilter): Condition[] {
  return [
    status !== undefined && sql<SqlBool>`job.status = ${status}`,
    profile !== undefined && sql<SqlBool>`job.profile_name = ${profile}`,
    format !== undefined && sql<SqlBool>`job.format = ${format}`,
    source !== undefined && sql<SqlBool>`job.source = ${source}`,
    from !== undefined && sql<SqlBool>`job.created_at >= ${from}`,
    to !== undefined && sql<SqlBool>`job.created_at < ${to}`,
  ].filter((condition) => condition !== false)
}

const where = (conditions: readonly Condition[]) =>
  conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`

async function idsIn(
  db: Db<Tables>,
  filter: JobFilter,
  { offset, limit }: Window,
  { oldestFirst = false, more = [] as readonly Condition[] } = {},
): Promise<string[]> {
  const order = sql.raw(oldestFirst ? 'job.created_at, job.id' : 'job.created_at desc, job.id desc')
  const { rows } = await sql<{ id: string }>`select job.id from job ${where([...conditionsOf(filter), ...more])}
    order by ${order} limit ${limit} offset ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}

/** A time span, as a prefix of ISO times, and how many matching jobs were created in it. */
interface Span {
  readonly span: string
  readonly n: number
}

/** The days or minutes in which matching jobs were created, newest first. */
async function spansOf(
  db: Db<Tables>,
  { status, profile, format, source, from, to }: JobFilter,
  level: 'day' | 'minute',
): Promise<readonly Span[]> {
  const ended = status === undefined ? undefined : isEnd(status) ? status : ''
  const rows = await db
    .selectFrom('job_calendar')
    .select((eb) => ['span', eb.fn.sum<number | string>('n').as('n')])
    .where('level', '=', level)
    .$if(ended !== undefined, (query) => query.where('ended', '=', ended!))
    .$if(profile !== undefined, (query) => query.where('profile_name', '=', profile!))
    .$if(format !== undefined, (query) => query.where('format', '=', format!))
    .$if(source !== undefined, (query) => query.where('source', '=', source!))
    // Days and minutes are prefixes of ISO times: they compare as text.
    .$if(from !== undefined, (query) => query.where('span', '>=', from!.slice(0, lengths[level])))
    .$if(to !== undefined, (query) => query.where('span', '<', to!.slice(0, lengths[level])))
    .groupBy('span')
    .orderBy('span', 'desc')
    .execute()
  return rows.map(({ span, n }) => ({ span, n: Number(n) })).filter(({ n }) => n > 0)
}

/** Letters of a span of each level. */
const lengths = { day: '2026-11-15'.length, minute: '2026-11-15T08:57'.length } as const

/**
 * The days in which matching jobs were created, newest first. The calendar counts days of UTC; where a filter begins or
 * ends within one, because days of the site do, that day is given by its minutes.
 */
async function daySpans(db: Db<Tables>, filter: JobFilter): Promise<readonly Span[]> {
  const from = filter.from === undefined ? undefined : midnightFrom(filter.from)
  const to = filter.to === undefined ? undefined : midnightUntil(filter.to)
  if (from !== undefined && to !== undefined && from > to) return spansOf(db, filter, 'minute')
  const minutes = (more: Pick<JobFilter, 'from' | 'to'>) => spansOf(db, { ...filter, ...more }, 'minute')
  const newest = to !== undefined && to < filter.to! ? await minutes({ from: to }) : []
  const whole = await spansOf(db, { ...filter, ...(from && { from }), ...(to && { to }) }, 'day')
  const oldest = from !== undefined && from > filter.from! ? await minutes({ to: from }) : []
  return [...newest, ...whole, ...oldest]
}

/** The last midnight of UTC until a time, and the first one from it on. */
const midnightUntil = (time: string): string => `${time.slice(0, lengths.day)}T00:00:00.000Z`

const midnightFrom = (time: string): string =>
  midnightUntil(time) === time ? time : plus(new Date(midnightUntil(time)), DAY).toISOString()

const sum = (spans: readonly Span[]): number => spans.reduce((total, { n }) => total + n, 0)

/** The spans that contain a window, and its offset in the first of them. */
interface Stretch extends Window {
  readonly spans: readonly Span[]
}

/** Jobs of a day that are skipped, from its nearer end, faster than the minutes of the day are read. */
const QUIET_DAY = 20_000

async function spansAt(db: Db<Tables>, filter: JobFilter, days: readonly Span[], window: Window): Promise<Stretch> {
  const inDays = cut(days, window)
  if (isIndexed(filter) && inDays.spans.every(({ n }) => n <= QUIET_DAY)) return inDays
  const [newest, oldest] = [inDays.spans[0]!.span, inDays.spans.at(-1)!.span]
  const bounded = { ...filter, from: ofDay(filter, oldest).from!, to: ofDay(filter, newest).to! }
  return cut(await spansOf(db, bounded, 'minute'), inDays)
}

/** The spans that contain a window of their jobs. */
function cut(spans: readonly Span[], { offset, limit }: Window): Stretch {
  let first = 0
  let skipped = 0
  while (first < spans.length && skipped + spans[first]!.n <= offset) skipped += spans[first++]!.n
  let last = first
  let held = skipped
  while (last < spans.length && held < offset + limit) held += spans[last++]!.n
  return { spans: spans.slice(first, last), offset: offset - skipped, limit }
}

/** Number of matching jobs above which a span is queried separately, in index order. */
const CROWDED = 500

async function idsOfSpans(db: Db<Tables>, filter: JobFilter, { spans, offset, limit }: Stretch): Promise<string[]> {
  const ids: string[] = []
  let skip = offset
  for (const batch of batches(spans)) {
    const rest = { offset: skip, limit: limit - ids.length }
    const found =
      batch.length === 1 ? await idsOfOne(db, filter, batch[0]!, rest) : await idsOfMany(db, filter, batch, rest)
    ids.push(...found)
    skip = Math.max(0, skip - sum(batch))
    if (ids.length >= limit) break
  }
  return ids
}

/** Busy spans separately, the others together in one query. */
function batches(spans: readonly Span[]): readonly (readonly Span[])[] {
  const found: Span[][] = []
  for (const span of spans) {
    const last = found.at(-1)
    if (last && sum(last) + span.n <= CROWDED) last.push(span)
    else found.push([span])
  }
  return found
}

/** Start of a span and of the next one. Full times, because PostgreSQL may sort punctuation differently. */
function boundsOf({ span }: Span): readonly [begins: string, ends: string] {
  const isMinute = span.length === lengths.minute
  const begins = new Date(isMinute ? `${span}:00.000Z` : `${span}T00:00:00.000Z`)
  return [begins.toISOString(), plus(begins, isMinute ? MINUTE : DAY).toISOString()]
}

const createdBetween = (begins: string, ends: string): Condition[] => [
  sql<SqlBool>`job.created_at >= ${begins}`,
  sql<SqlBool>`job.created_at < ${ends}`,
]

/** The jobs of one span, counted from its nearer end. */
async function idsOfOne(db: Db<Tables>, filter: JobFilter, span: Span, window: Window): Promise<string[]> {
  const limit = Math.min(window.limit, span.n - window.offset)
  if (limit <= 0) return []
  const more = createdBetween(...boundsOf(span))
  if (window.offset <= span.n / 2) return idsIn(db, filter, { offset: window.offset, limit }, { more })
  const fromOldest = { offset: span.n - window.offset - limit, limit }
  return (await idsIn(db, filter, fromOldest, { oldestFirst: true, more })).reverse()
}

async function idsOfMany(
  db: Db<Tables>,
  filter: JobFilter,
  minutes: readonly Span[],
  { offset, limit }: Window,
): Promise<string[]> {
  // With one index for the filter, gaps between the minutes cost nothing: they contain no entries.
  if (isIndexed(filter)) {
    const more = createdBetween(boundsOf(minutes.at(-1)!)[0], boundsOf(minutes[0]!)[1])
    return idsIn(db, filter, { offset, limit }, { more })
  }
  const { rows } = await sql<{ id: string }>`select job.id from ${eachMinute(db, filter, minutes)}
    order by job.created_at desc, job.id desc limit ${limit} offset ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}

// Minute by minute, each by the index: SQLite does that for a `cross join`, PostgreSQL for a subquery that `offset 0`
// keeps from being flattened. On its own it scanned all jobs for every minute (7 s at a million jobs).
function eachMinute(db: Db<Tables>, filter: JobFilter, minutes: readonly Span[]) {
  const list = JSON.stringify(minutes.map(boundsOf))
  const within = [sql<SqlBool>`job.created_at >= minute.begins`, sql<SqlBool>`job.created_at < minute.ends`]
  const condition = where([...within, ...conditionsOf(filter)])
  if (dialectOf(db) === 'sqlite')
    return sql`(select value ->> 0 as begins, value ->> 1 as ends from json_each(${list})) as minute
      cross join job ${condition}`
  return sql`(select value ->> 0 as begins, value ->> 1 as ends from json_array_elements(${list}::json)) as minute
    cross join lateral (select job.id, job.created_at from job ${condition} offset 0) as job`
}

/** Jobs checked per query: on SQLite every other query waits meanwhile, about 4 ms. */
const SLICE = 20_000

/** A substring may be anywhere: every name is checked, slice by slice. */
async function searchNames(db: Db<Tables>, filter: JobFilter, { offset, limit }: Window): Promise<FoundJobs> {
  const position = sql.raw(dialectOf(db) === 'sqlite' ? 'instr' : 'strpos')
  const named = sql<SqlBool>`${position}(job.name_key, ${nameKey(filter.fileName!)}) > 0`
  const ids: string[] = []
  let total = 0
  for (const range of slices(await smallSpans(db, filter))) {
    const more = [named, ...range]
    const n = Number((await counted(db, [...conditionsOf(filter), ...more])).n)
    if (ids.length < limit && total + n > offset) {
      const rest = { offset: Math.max(0, offset - total), limit: limit - ids.length }
      ids.push(...(await idsIn(db, filter, rest, { more })))
    }
    total += n
  }
  return { ids, total }
}

/** Days, split into minutes when too large for a slice. Newest first. */
async function smallSpans(db: Db<Tables>, filter: JobFilter): Promise<readonly Span[]> {
  const spans: Span[] = []
  for (const day of await daySpans(db, filter)) {
    if (day.n <= SLICE) spans.push(day)
    else spans.push(...(await spansOf(db, ofDay(filter, day.span), 'minute')))
  }
  return spans
}

const ofDay = (filter: JobFilter, day: string): JobFilter => {
  const [from, to] = boundsOf({ span: day, n: 0 })
  return { ...filter, from, to }
}

/** Time ranges with about as many jobs as a slice, newest first. */
function slices(spans: readonly Span[]): readonly Condition[][] {
  const found: { oldest: Span; newest: Span; n: number }[] = []
  for (const span of spans) {
    const last = found.at(-1)
    if (last && last.n + span.n <= SLICE) Object.assign(last, { oldest: span, n: last.n + span.n })
    else found.push({ oldest: span, newest: span, n: span.n })
  }
  return found.map(({ oldest, newest }) => createdBetween(boundsOf(oldest)[0], boundsOf(newest)[1]))
}
