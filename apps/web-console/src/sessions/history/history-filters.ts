import { type DayRange, dayIn } from '../../console/parts/day-range.ts'
import { present, wordIn } from '../../console/parts/search-words.ts'
import { cpfDigits } from '../../shared/format/cpf.ts'
import { type HistoryKind, historyKinds } from '../api/types.ts'

/** Filters of the history, as in the URL. */
export interface HistoryFilters extends DayRange {
  readonly cpf?: string
  /** Part of the application's name. */
  readonly application?: string
  readonly kind?: HistoryKind
}

/** Reads the filters from the URL; unknown values are dropped. */
export const historyFiltersFrom = (search: Record<string, unknown>): HistoryFilters =>
  present({
    cpf: cpfDigits(wordIn(search, 'cpf') ?? '') || undefined,
    application: wordIn(search, 'application'),
    kind: historyKinds.find((one) => one === search.kind),
    from: dayIn(search, 'from'),
    to: dayIn(search, 'to'),
  })
