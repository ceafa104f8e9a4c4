import { beginOfDay, isDay } from '../../console/parts/days.ts'
import { present, wordIn } from '../../console/parts/search-words.ts'
import { type UseAction, useActions } from '../api/types.ts'

export const outcomes = ['well', 'failed'] as const

/** Which uses are shown; as it stands in the address. */
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

/** Reads the filters out of an address; what is not known there is not kept. */
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

/** The question to the service: days are those of whoever looks, and the last one counts. */
export const usesAsked = ({ from, to, outcome, ...filters }: UseFilters) => ({
  ...filters,
  failed: outcome && String(outcome === 'failed'),
  from: from && beginOfDay(from),
  to: to && beginOfDay(to, 1),
})
