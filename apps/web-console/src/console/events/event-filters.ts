import type { Language } from '../../shared/i18n/languages.ts'
import type { EventFilters } from '../api/events.ts'
import { present, wordIn } from '../parts/search-words.ts'

/** Every kind of event of a service in words; a test of its bundle sees to it that these are all of the contract. */
export type EventKinds = Readonly<Record<Language, Readonly<Record<string, string>>>>

export const kindsIn = (kinds: EventKinds): readonly string[] => Object.keys(kinds['en-US'])

/** Reads the filters out of an address; what is not known there is not kept. */
export const eventFiltersOf =
  (kinds: EventKinds) =>
  (search: Record<string, unknown>): EventFilters =>
    present({ type: kindsIn(kinds).find((one) => one === search.type), q: wordIn(search, 'q') })
