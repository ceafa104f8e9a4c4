import { type DayRange, dayIn } from '../../console/parts/day-range.ts'
import { present, wordIn } from '../../console/parts/search-words.ts'
import { cpfDigits } from '../../shared/format/cpf.ts'
import { type SignatureState, signatureStates } from '../api/types.ts'

/** Filters of the signatures, as in the URL. */
export interface SignatureFilters extends DayRange {
  readonly cpf?: string
  readonly state?: SignatureState
  readonly signatureId?: string
}

/** Reads the filters from the URL; unknown values are dropped. */
export const signatureFiltersFrom = (search: Record<string, unknown>): SignatureFilters =>
  present({
    cpf: cpfDigits(wordIn(search, 'cpf') ?? '') || undefined,
    state: signatureStates.find((one) => one === search.state),
    signatureId: wordIn(search, 'signatureId'),
    from: dayIn(search, 'from'),
    to: dayIn(search, 'to'),
  })
