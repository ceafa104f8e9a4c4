import { present, wordIn } from '../../console/parts/search-words.ts'

export const outcomes = ['succeeded', 'failed'] as const

/** Filters of the authentications, as in the URL. */
export interface AuthenticationFilters {
  readonly subscriptionId?: string
  readonly outcome?: (typeof outcomes)[number]
}

/** Reads the filters from the URL; unknown values are dropped. */
export const authenticationFiltersFrom = (search: Record<string, unknown>): AuthenticationFilters =>
  present({
    subscriptionId: wordIn(search, 'subscriptionId'),
    outcome: outcomes.find((one) => one === search.outcome),
  })

/** What a caller was told. */
export interface ProblemFilters {
  readonly exceptionCode?: string
}

export const problemFiltersFrom = (search: Record<string, unknown>): ProblemFilters =>
  present({ exceptionCode: wordIn(search, 'exceptionCode') })
