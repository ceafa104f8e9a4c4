/** Filters of the job list, as in the page's URL and in the request to the service. */
export interface JobFilters {
  readonly status?: string
  readonly profile?: string
  readonly fileName?: string
  readonly format?: string
  readonly source?: string
  /** First day, `yyyy-MM-dd`. */
  readonly from?: string
  /** Last day. */
  readonly to?: string
  /** 1-based; the first when absent. */
  readonly page?: number
}

/** The filters with text values; `page` is a number. */
export const filterNames = ['status', 'profile', 'fileName', 'format', 'source', 'from', 'to'] as const

const JOBS_PER_PAGE = 50

/**
 * Reads the filters from the URL. An unknown value is kept, so that the service refuses it instead of it being ignored.
 */
export function filtersFromSearch(search: Readonly<Record<string, unknown>>): JobFilters {
  const words = filterNames.map((name) => [name, search[name]] as const).filter(([, value]) => isWord(value))
  const page = Number(search.page)
  return {
    ...Object.fromEntries(words.map(([name, value]) => [name, String(value)])),
    ...(Number.isInteger(page) && page > 1 && { page }),
  }
}

const isWord = (value: unknown): boolean => (typeof value === 'string' || typeof value === 'number') && value !== ''

/** The filters with one of them changed; back to the first page, since the pages are different now. */
export function withFilter(filters: JobFilters, name: (typeof filterNames)[number], value: string): JobFilters {
  const { page: _, [name]: __, ...rest } = filters
  return value === '' ? rest : { ...rest, [name]: value }
}

/** The query string for one page of the list. */
export function listQuery(filters: JobFilters): string {
  const query = exportQuery(filters)
  query.set('page', String(filters.page ?? 1))
  query.set('pageSize', String(JOBS_PER_PAGE))
  return query.toString()
}

/** The query string for all jobs that match the filters. */
export function exportQuery(filters: JobFilters): URLSearchParams {
  const words = filterNames.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]]]))
  return new URLSearchParams(words)
}

/** Whether any filter is set. */
export const isFiltered = (filters: JobFilters): boolean => filterNames.some((name) => filters[name] !== undefined)
