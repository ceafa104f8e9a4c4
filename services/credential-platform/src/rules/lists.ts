// When the next list of annulled degrees is due, and until when it holds (credentials-platform facts 2.6).
import { DAY, plus } from '@chancela/service-kernel/clock'

interface KnownList {
  readonly status: string
  /** Days. */
  readonly maximum_next_update_date: string
  readonly items: number
}

/** So long before the limit of the last list the next one is made. */
const EARLY = 3 * DAY

/** A list is never taken back, and so are its items: more of them means that one is missing. */
export function isListDue(newest: KnownList | undefined, annulled: number, now: Date): boolean {
  if (!newest) return true
  if (newest.status !== 'Signed') return false
  return annulled > newest.items || now >= plus(new Date(newest.maximum_next_update_date), -EARLY)
}

/** The latest day of the next list. */
export const nextUpdateDay = (now: Date, days: number): string =>
  plus(now, days * DAY)
    .toISOString()
    .slice(0, 10)
