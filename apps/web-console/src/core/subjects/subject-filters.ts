import { present, wordIn } from '../../console/parts/search-words.ts'
import { type SubjectState, subjectStates } from '../api/types.ts'

/** Filters of the biometric subjects, as in the URL. */
export interface SubjectFilters {
  readonly subscriptionId?: string
  readonly state?: SubjectState
  /** The whole of it: a person who asks for deletion is found, and nobody is guessed. */
  readonly identifier?: string
}

/** Reads the filters from the URL; unknown values are dropped. */
export const subjectFiltersFrom = (search: Record<string, unknown>): SubjectFilters =>
  present({
    subscriptionId: wordIn(search, 'subscriptionId'),
    state: subjectStates.find((one) => one === search.state),
    identifier: wordIn(search, 'identifier'),
  })
