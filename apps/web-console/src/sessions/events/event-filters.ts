import { type EventType, eventTypes } from '../api/events.ts'
import { present, wordIn } from '../parts/search-words.ts'

/** Which events are shown; as it stands in the address. */
export interface EventFilters {
  readonly type?: EventType
  readonly q?: string
}

/** Reads the filters out of an address; what is not known there is not kept. */
export const eventFiltersFrom = (search: Record<string, unknown>): EventFilters =>
  present({ type: eventTypes.find((one) => one === search.type), q: wordIn(search, 'q') })
