/** Filters of the events, as in the page's URL. */
export interface EventFilters {
  /** Types to show; all when absent. */
  readonly type?: readonly string[]
  readonly contains?: string
  /** First day of the site, `yyyy-MM-dd`. */
  readonly from?: string
  /** Last day. */
  readonly to?: string
  readonly page?: number
}

const EVENTS_PER_PAGE = 50

/** Reads the filters from the URL. */
export function eventFiltersFromSearch(search: Readonly<Record<string, unknown>>): EventFilters {
  const type = [search.type].flat().filter((value) => typeof value === 'string' && value !== '') as string[]
  const word = (name: string) => (typeof search[name] === 'string' && search[name] !== '' ? search[name] : undefined)
  const [contains, from, to, page] = [word('contains'), word('from'), word('to'), Number(search.page)]
  return {
    ...(type.length > 0 && { type }),
    ...(contains !== undefined && { contains }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(Number.isInteger(page) && page > 1 && { page }),
  }
}

/** The query string for the service. The service's `to` is exclusive; in the filters it is the last day included. */
export function eventsQueryString({ type = [], contains, from, to, page = 1 }: EventFilters): string {
  const query = new URLSearchParams(type.map((name) => ['eventType', name]))
  if (contains !== undefined) query.set('contains', contains)
  if (from !== undefined) query.set('from', from)
  if (to !== undefined) query.set('to', isDay(to) ? dayAfter(to) : to)
  query.set('page', String(page))
  query.set('pageSize', String(EVENTS_PER_PAGE))
  return query.toString()
}

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

const dayAfter = (day: string): string => new Date(Date.parse(day) + 24 * 3_600_000).toISOString().slice(0, 10)
