import type { Language } from '../../shared/i18n/languages.ts'
import type { EventFilters } from '../api/events.ts'
import { present, wordIn } from '../parts/search-words.ts'

/** A label for every kind of event of a service; a test of its bundle checks that none of the contract is missing. */
export type EventKinds = Readonly<Record<Language, Readonly<Record<string, string>>>>

export const kindsIn = (kinds: EventKinds): readonly string[] => Object.keys(kinds['en-US'])

/** Reads the filters from the URL; unknown values are dropped. */
export const eventFiltersOf =
  (kinds: EventKinds) =>
  (search: Record<string, unknown>): EventFilters =>
    present({ type: kindsIn(kinds).find((one) => one === search.type), q: wordIn(search, 'q') })
