import { type DayRange, dayIn } from '../../console/parts/day-range.ts'
import { present, wordIn } from '../../console/parts/search-words.ts'
import { type SessionStatus, sessionStatuses } from '../api/types.ts'

/** Filters of the signature sessions, as in the URL. */
export interface SessionFilters extends DayRange {
  readonly subscriptionId?: string
  readonly status?: SessionStatus
}

/** Reads the filters from the URL; unknown values are dropped. */
export const sessionFiltersFrom = (search: Record<string, unknown>): SessionFilters =>
  present({
    subscriptionId: wordIn(search, 'subscriptionId'),
    status: sessionStatuses.find((one) => one === search.status),
    from: dayIn(search, 'from'),
    to: dayIn(search, 'to'),
  })
