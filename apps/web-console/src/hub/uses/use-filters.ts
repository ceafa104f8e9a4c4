import { withinDays } from '../../console/parts/day-range.ts'
import { present, wordIn } from '../../console/parts/search-words.ts'
import { type UseAction, useActions } from '../api/types.ts'
import { type Search, searchIn } from '../parts/search.ts'

export const outcomes = ['well', 'failed'] as const

/** Filters of the uses, as in the URL. */
export interface UseFilters extends Search {
  readonly sessionId?: string
  readonly providerId?: string
  readonly action?: UseAction
  readonly outcome?: (typeof outcomes)[number]
}

/** Reads the filters from the URL; unknown values are dropped. */
export const filtersOfUses = (search: Record<string, unknown>): UseFilters =>
  present({
    sessionId: wordIn(search, 'sessionId'),
    providerId: wordIn(search, 'providerId'),
    action: useActions.find((one) => one === search.action),
    outcome: outcomes.find((one) => one === search.outcome),
    ...searchIn(search),
  })

/** The query parameters. */
export const usesAsked = ({ outcome, ...filters }: UseFilters) => ({
  ...withinDays(filters),
  failed: outcome && String(outcome === 'failed'),
})
