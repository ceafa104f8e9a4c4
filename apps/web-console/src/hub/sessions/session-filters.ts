import { present, wordIn } from '../../console/parts/search-words.ts'
import { type SessionState, sessionStates } from '../api/types.ts'
import { type Search, searchIn } from '../parts/search.ts'

/** Filters of the sessions, as in the URL. */
export interface SessionFilters extends Search {
  readonly state?: SessionState
  readonly providerId?: string
}

/** Reads the filters from the URL; unknown values are dropped. */
export const sessionFiltersFrom = (search: Record<string, unknown>): SessionFilters =>
  present({
    state: sessionStates.find((one) => one === search.state),
    providerId: wordIn(search, 'providerId'),
    ...searchIn(search),
  })
