import { beginOfDay, isDay } from '../../console/parts/days.ts'
import { present, wordIn } from '../../console/parts/search-words.ts'
import { type UseAction, useActions } from '../api/types.ts'

export const outcomes = ['well', 'failed'] as const

/** Filters of the uses, as in the URL. */
export interface UseFilters {
  readonly sessionId?: string
  readonly providerId?: string
  readonly action?: UseAction
  readonly outcome?: (typeof outcomes)[number]
  /** First day, `yyyy-MM-dd`. */
  readonly from?: string
  /** Last day. */
  readonly to?: string
}

/** Reads the filters from the URL; unknown values are dropped. */
export function filtersOfUses(search: Record<string, unknown>): UseFilters {
  const day = (name: string) => [wordIn(search, name)].find((text) => text !== undefined && isDay(text))
  return present({
    sessionId: wordIn(search, 'sessionId'),
    providerId: wordIn(search, 'providerId'),
    action: useActions.find((one) => one === search.action),
    outcome: outcomes.find((one) => one === search.outcome),
    from: day('from'),
    to: day('to'),
  })
}

/** The query parameters: days are in the visitor's time zone, and the last one is included. */
export const usesAsked = ({ from, to, outcome, ...filters }: UseFilters) => ({
  ...filters,
  failed: outcome && String(outcome === 'failed'),
  from: from && beginOfDay(from),
  to: to && beginOfDay(to, 1),
})
