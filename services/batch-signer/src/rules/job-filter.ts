import {
  type JobSource,
  type JobStatus,
  jobSources,
  jobStatuses,
  type SignatureFormat,
  signatureFormats,
} from './job.ts'
import { refuse } from './refuse.ts'
import { dayPlus, siteMidnight } from './site-days.ts'

/** The filter of a job list; absent fields do not filter. */
export interface JobFilter {
  readonly status?: JobStatus
  readonly profile?: string
  readonly format?: SignatureFormat
  readonly source?: JobSource
  /** Matched literally in the file name, in any case. */
  readonly fileName?: string
  /** Where a day begins at the site, ISO 8601, inclusive. */
  readonly from?: string
  /** Where a day begins at the site, ISO 8601, exclusive. */
  readonly to?: string
}

/** Which page of a list. */
export interface Page {
  /** From 1. */
  readonly page: number
  readonly pageSize: number
}

/** Last page that can be requested (spec 2, Limits). */
const MAX_PAGE = 10_737_418

/** Largest page (spec 2, Limits). */
const MAX_PAGE_SIZE = 200

const DEFAULT_PAGE_SIZE = 50

type Query = Readonly<Record<string, unknown>>

/** The existing profiles. */
interface KnownProfiles {
  get(name: string): { readonly name: string } | undefined
}

/** Reads the filters of a query; an invalid value is refused, never widened (spec 2, Endpoints: GET /api/jobs). */
export function readJobFilter(query: Query, profiles: KnownProfiles, timeZone: string): JobFilter {
  const days = readDays(query, timeZone)
  return {
    ...given('status', oneOf(query, 'status', jobStatuses)),
    ...given('profile', profileName(query, profiles)),
    ...given('format', oneOf(query, 'format', signatureFormats)),
    ...given('source', oneOf(query, 'source', jobSources)),
    ...given('fileName', textOf(query, 'fileName')),
    ...days,
  }
}

/** Reads which page is requested. */
export const readPage = (query: Query): Page => ({
  page: numberOf(query, 'page', { from: 1, to: MAX_PAGE, otherwise: 1 }),
  pageSize: numberOf(query, 'pageSize', { from: 1, to: MAX_PAGE_SIZE, otherwise: DEFAULT_PAGE_SIZE }),
})

/** The days `from` and `to` of a query, both inclusive on the wire (yyyy-MM-dd, days of the site). */
export function readDays(query: Query, timeZone: string): Pick<JobFilter, 'from' | 'to'> {
  const [from, to] = [dayOf(query, 'from'), dayOf(query, 'to')]
  if (from && to && from > to) throw badValue('from')
  const begins = (day: string) => siteMidnight(timeZone, day).toISOString()
  return { ...given('from', from && begins(from)), ...given('to', to && begins(dayPlus(to, 1))) }
}

/** In `errors` of the answer, which production sends, too. */
const badValue = (name: string) =>
  refuse('validation.filter-invalid', { parameter: name, fields: { [name]: ['is not acceptable'] } })

const given = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value }

/** A value of the query; refuses an empty or repeated one. */
function textOf(query: Query, name: string): string | undefined {
  const value = query[name]
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value === '') throw badValue(name)
  return value
}

function oneOf<Value extends string>(query: Query, name: string, values: readonly Value[]): Value | undefined {
  const text = textOf(query, name)?.toLowerCase()
  const known = values.find((value) => value.toLowerCase() === text)
  if (text !== undefined && known === undefined) throw badValue(name)
  return known
}

function profileName(query: Query, profiles: KnownProfiles): string | undefined {
  const text = textOf(query, 'profile')
  if (text === undefined) return undefined
  const profile = profiles.get(text)
  if (!profile) throw badValue('profile')
  return profile.name
}

function numberOf(query: Query, name: string, range: { from: number; to: number; otherwise: number }): number {
  const text = textOf(query, name)
  if (text === undefined) return range.otherwise
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= range.from && value <= range.to)) throw badValue(name)
  return value
}

function dayOf(query: Query, name: string): string | undefined {
  const text = textOf(query, name)
  if (text === undefined) return undefined
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00.000Z`) : new Date(Number.NaN)
  // 31 February is parsed as 3 March, which is not what was requested.
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text)) throw badValue(name)
  return text
}
