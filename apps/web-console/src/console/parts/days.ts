const DAY_MS = 24 * 60 * 60 * 1000

const dayPattern = /^(\d{4})-(\d\d)-(\d\d)$/

/** Whether a text is a day in the format of date inputs. */
export const isDay = (text: string): boolean => dayPattern.test(text) && !Number.isNaN(Date.parse(text))

/** The start of a day in the visitor's time zone, optionally some days later. */
export function beginOfDay(day: string, daysLater = 0): string {
  const [, year, month, date] = dayPattern.exec(day)!.map(Number)
  return new Date(year!, month! - 1, date! + daysLater).toISOString()
}

/** Today in the visitor's time zone. */
export function today(now: number): string {
  const date = new Date(now)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Whole days until a time; below zero once it has passed. */
export const daysUntil = (time: string, now: number): number => Math.floor((Date.parse(time) - now) / DAY_MS)
