import { cpfDigits } from '../parts/cpf.ts'
import { present, wordIn } from '../parts/search-words.ts'

/** Which live sessions are shown; as it stands in the address. */
export interface SessionFilters {
  readonly cpf?: string
}

export const sessionFiltersFrom = (search: Record<string, unknown>): SessionFilters =>
  present({ cpf: cpfDigits(wordIn(search, 'cpf') ?? '') || undefined })
