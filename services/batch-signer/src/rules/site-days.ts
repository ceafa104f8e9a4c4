import { DAY, HOUR, MINUTE, plus } from '@chancela/service-kernel/clock'
import { todayIn } from './cnab240/payment-date-gate.ts'

/** The calendar day of a moment at the site, as `yyyy-MM-dd`. */
export const siteDay = (timeZone: string, moment: Date): string => todayIn(timeZone, moment)

/** Further from midnight UTC no zone has its midnight. */
const FURTHEST = 15 * HOUR

/**
 * The moment a day (`yyyy-MM-dd`) begins at the site: the first minute with that date, found by halving, because a
 * change of summer time can skip midnight itself.
 */
export function siteMidnight(timeZone: string, day: string): Date {
  const utc = new Date(`${day}T00:00:00.000Z`)
  let [before, after] = [-FURTHEST / MINUTE, FURTHEST / MINUTE]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (siteDay(timeZone, plus(utc, middle * MINUTE)) < day) before = middle
    else after = middle
  }
  return plus(utc, after * MINUTE)
}

/** The day that many days later. */
export const dayPlus = (day: string, days: number): string =>
  plus(new Date(`${day}T00:00:00.000Z`), days * DAY)
    .toISOString()
    .slice(0, 10)
