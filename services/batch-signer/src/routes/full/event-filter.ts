import type { EventFilter } from '@chancela/service-kernel/events'
import { readPage } from '../../rules/job-filter.ts'
import { refuse } from '../../rules/refuse.ts'
import { siteMidnight } from '../../rules/site-days.ts'

/** The raw query of the event log. */
export interface EventQuery {
  readonly eventType?: readonly string[]
  readonly from?: string
  readonly to?: string
  readonly contains?: string
  /** The specification's words for the two; a query uses one of each. */
  readonly type?: readonly string[]
  readonly text?: string
  readonly page?: string
  readonly pageSize?: string
}

/** Reads the query; invalid values are refused, never widened. */
export function eventFilter({ from, to, page, pageSize, ...query }: EventQuery, timeZone: string): EventFilter {
  const eventType = [...(query.eventType ?? []), ...(query.type ?? [])]
  if (eventType.some((type) => type.trim() === '')) throw refuse('validation.filter-invalid', { field: 'eventType' })
  if (query.text !== undefined && query.contains !== undefined)
    throw refuse('validation.filter-invalid', { field: 'text' })
  const contains = query.text ?? query.contains
  const since = from === undefined ? undefined : momentOf('from', from, timeZone)
  const until = to === undefined ? undefined : momentOf('to', to, timeZone)
  if (since && until && since >= until) throw refuse('validation.filter-invalid', { field: 'to' })
  return {
    type: eventType,
    ...(since && { from: since }),
    ...(until && { to: until }),
    ...(contains !== undefined && { text: contains }),
    ...readPage({ page, pageSize }),
  }
}

const ISO = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,7})?)?)(Z|[+-]\d{2}:\d{2})?)?$/i

/**
 * A time in ISO 8601; without an offset it is UTC, and a day alone begins where it does at the site. An unencoded plus
 * sign arrives as a space.
 */
export function momentOf(field: string, text: string, timeZone: string): Date {
  const [, day, time, offset = 'Z'] = ISO.exec(text.replace(' ', '+')) ?? []
  const moment = new Date(`${day}T${time ?? '00:00'}${offset.toUpperCase()}`)
  // Days that do not exist, such as February 30th, are parsed as days of the next month.
  const isReal = day !== undefined && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) === true
  if (!isReal || Number.isNaN(moment.getTime()))
    throw refuse('validation.filter-invalid', { field, fields: { [field]: ['must be a day or a time in ISO 8601'] } })
  return time === undefined ? siteMidnight(timeZone, day) : moment
}
