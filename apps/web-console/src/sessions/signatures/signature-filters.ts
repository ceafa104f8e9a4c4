import { beginOfDay, isDay } from '../../console/parts/days.ts'
import { present, wordIn } from '../../console/parts/search-words.ts'
import { type SignatureState, signatureStates } from '../api/types.ts'
import { cpfDigits } from '../parts/cpf.ts'

/** Filters of the signatures, as in the URL. */
export interface SignatureFilters {
  readonly cpf?: string
  readonly state?: SignatureState
  readonly signatureId?: string
  /** First day, `yyyy-MM-dd`. */
  readonly from?: string
  /** Last day. */
  readonly to?: string
}

/** Reads the filters from the URL; unknown values are dropped. */
export function signatureFiltersFrom(search: Record<string, unknown>): SignatureFilters {
  const day = (name: string) => [wordIn(search, name)].find((text) => text !== undefined && isDay(text))
  return present({
    cpf: cpfDigits(wordIn(search, 'cpf') ?? '') || undefined,
    state: signatureStates.find((one) => one === search.state),
    signatureId: wordIn(search, 'signatureId'),
    from: day('from'),
    to: day('to'),
  })
}

/** The query parameters: days are in the visitor's time zone, and the last one is included. */
export const signaturesAsked = ({ from, to, ...filters }: SignatureFilters) => ({
  ...filters,
  from: from && beginOfDay(from),
  to: to && beginOfDay(to, 1),
})
