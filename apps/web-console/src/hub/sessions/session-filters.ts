import { present, wordIn } from '../../console/parts/search-words.ts'
import { type SessionState, sessionStates } from '../api/types.ts'

/** Which sessions are shown; as it stands in the address. */
export interface SessionFilters {
  readonly state?: SessionState
  readonly providerId?: string
}

/** Reads the filters out of an address; what is not known there is not kept. */
export const sessionFiltersFrom = (search: Record<string, unknown>): SessionFilters =>
  present({
    state: sessionStates.find((one) => one === search.state),
    providerId: wordIn(search, 'providerId'),
  })
