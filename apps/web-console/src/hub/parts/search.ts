import { type DayRange, dayIn } from '../../console/parts/day-range.ts'
import { wordIn } from '../../console/parts/search-words.ts'

/** What a call for help brings: whose, from which application, when. */
export interface Search extends DayRange {
  /** A CPF or CNPJ, without punctuation. */
  readonly identifier?: string
  /** Part of the application's name. */
  readonly application?: string
}

/** The same from the URL; undefined where it says nothing. */
export const searchIn = (search: Record<string, unknown>) => ({
  identifier:
    wordIn(search, 'identifier')
      ?.replace(/[^\dA-Za-z]/g, '')
      .toUpperCase() || undefined,
  application: wordIn(search, 'application'),
  from: dayIn(search, 'from'),
  to: dayIn(search, 'to'),
})
