import { beginOfDay, isDay } from './days.ts'
import { wordIn } from './search-words.ts'

/** The days of a list, as in the URL: the first and the last one, `yyyy-MM-dd`. */
export interface DayRange {
  readonly from?: string
  readonly to?: string
}

/** A day of the URL; undefined where it is none. */
export const dayIn = (search: Record<string, unknown>, name: string): string | undefined =>
  [wordIn(search, name)].find((text) => text !== undefined && isDay(text))

/** The query parameters: days are in the visitor's time zone, and the last one is included. */
export const withinDays = <Filters extends DayRange>({ from, to, ...filters }: Filters) => ({
  ...filters,
  from: from && beginOfDay(from),
  to: to && beginOfDay(to, 1),
})
