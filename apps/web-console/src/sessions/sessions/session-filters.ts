import { present, wordIn } from '../../console/parts/search-words.ts'
import { cpfDigits } from '../../shared/format/cpf.ts'

/** Filters of the live sessions, as in the URL. */
export interface SessionFilters {
  readonly cpf?: string
}

export const sessionFiltersFrom = (search: Record<string, unknown>): SessionFilters =>
  present({ cpf: cpfDigits(wordIn(search, 'cpf') ?? '') || undefined })
