import { DAY } from '@chancela/service-kernel/clock'
import { invalidField } from '@chancela/service-kernel/errors'
import type { Static } from 'typebox'
import type { compactRoutes } from '../../contract/compact.ts'
import type { CompactFilter } from '../../store/compact-reads.ts'

type Query = Static<(typeof compactRoutes)['listJobs']['query']>

/** The filter of a query. Refuses what its schema cannot validate; never widens it. */
export function compactFilter(query: Query, encryptingProfiles: () => readonly string[]): CompactFilter {
  const { page: _page, pageSize: _pageSize, encryptionEnabled, createdFromUtc, createdToUtc, ...plain } = query
  const from = momentOf('createdFromUtc', createdFromUtc)
  const to = momentOf('createdToUtc', createdToUtc)
  if (from && to && from.first > to.last) throw invalidField('createdToUtc', 'lies before createdFromUtc')
  return {
    ...plain,
    ...(encryptionEnabled !== undefined && {
      encryption: { enabled: encryptionEnabled, encryptingProfiles: encryptingProfiles() },
    }),
    ...(from && { createdFrom: from.first.toISOString() }),
    ...(to && { createdTo: to.last.toISOString() }),
  }
}

const DATE = /^\d{4}-\d\d-\d\d$/
// Seconds and their fractions may be left out; without an offset the time is UTC, as the parameter's name says.
const TIME = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?$/i

/** The time range of a text: one instant, or a whole day. */
function momentOf(parameter: string, text: string | undefined): { first: Date; last: Date } | undefined {
  if (text === undefined) return undefined
  if (DATE.test(text)) {
    const day = instant(parameter, text, `${text}T00:00:00Z`)
    return { first: day, last: new Date(day.getTime() + DAY - 1) }
  }
  const parts = TIME.exec(text)
  if (!parts) throw invalidField(parameter, 'is no ISO 8601 time')
  const time = instant(parameter, parts[1] as string, parts[2] ? text : `${text}Z`)
  return { first: time, last: time }
}

function instant(parameter: string, date: string, text: string): Date {
  const time = new Date(text)
  // JavaScript parses 30 February as 2 March; a day that does not exist is refused instead.
  const isRealDay = !Number.isNaN(time.getTime()) && new Date(`${date}T00:00:00Z`).toISOString().startsWith(date)
  if (!isRealDay) throw invalidField(parameter, 'is no time that exists')
  return time
}
