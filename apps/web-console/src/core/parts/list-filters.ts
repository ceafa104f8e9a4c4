import { present, wordIn } from '../../console/parts/search-words.ts'

/** Filters of the lists of the management, as in the URL. */
export interface ListFilters {
  readonly q?: string
  readonly subscriptionId?: string
}

/** Reads the filters from the URL; unknown values are dropped. */
export const listFiltersFrom = (search: Record<string, unknown>): ListFilters =>
  present({ q: wordIn(search, 'q'), subscriptionId: wordIn(search, 'subscriptionId') })
