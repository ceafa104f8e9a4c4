import { present, wordIn } from '../../console/parts/search-words.ts'
import { cpfDigits } from '../parts/cpf.ts'

/** Which live sessions are shown; as it stands in the address. */
export interface SessionFilters {
  readonly cpf?: string
}

export const sessionFiltersFrom = (search: Record<string, unknown>): SessionFilters =>
  present({ cpf: cpfDigits(wordIn(search, 'cpf') ?? '') || undefined })
