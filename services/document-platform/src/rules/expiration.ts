import { refuse } from './refuse.ts'

/** When a document expires: the requested day, and its last instant in the organization's time zone. */
export interface Expiration {
  readonly day: string
  readonly at: Date
}

const DAY_FORM = /^(\d{4})-(\d{2})-(\d{2})/

/**
 * The time of the given date is discarded; its day counts as the client wrote it, in the offset it wrote
 * (document-platform facts 1.5). A day that is over is refused.
 */
export function readExpiration(text: string, timeZone: string, now: Date): Expiration {
  const [day, year, month, date] = DAY_FORM.exec(text) ?? []
  if (day === undefined || Number.isNaN(Date.parse(text)))
    throw refuse('InvalidRequest', { expirationDate: 'is no date' })
  const at = endOfDay(Number(year), Number(month), Number(date), timeZone)
  if (at <= now) throw refuse('ExpirationInPast', { expirationDate: day })
  return { day, at }
}

/** Whether the day of a document is over; it may not have been expired yet. */
export const isDayOver = ({ expires_at }: { readonly expires_at: string | null }, now: Date): boolean =>
  expires_at !== null && expires_at < now.toISOString()

/** The last millisecond of a day in a time zone; correct also when clocks skip midnight. */
function endOfDay(year: number, month: number, date: number, timeZone: string): Date {
  const shown = Date.UTC(year, month - 1, date, 23, 59, 59, 999)
  // The offset is looked up at the result; twice, because it may differ between the guess and the result.
  const guess = shown - offsetAt(new Date(shown), timeZone)
  return new Date(shown - offsetAt(new Date(guess), timeZone))
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formats.set(timeZone, format)
  return format
}

/** UTC offset of a time zone, in milliseconds. */
function offsetAt(at: Date, timeZone: string): number {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year, month, day, hour, minute, second } = parts as Record<string, number>
  return Date.UTC(year!, month! - 1, day!, hour!, minute!, second!) - Math.floor(at.getTime() / 1000) * 1000
}

/** Whether this is the name of a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/** Month of an instant in a time zone, as yyyy-MM. */
export const monthOf = (at: Date, timeZone: string): string => formatOf(timeZone).format(at).slice(0, 7)
