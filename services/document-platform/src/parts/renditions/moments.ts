import { MINUTE, plus } from '@chancela/service-kernel/clock'
import type { RenditionLanguage } from './rendition-info.ts'

/** Date and time with all digits: printed dates must be unambiguous. */
const forms: Readonly<Record<RenditionLanguage, (year: string, month: string, day: string) => string>> = {
  pt: (year, month, day) => `${day}/${month}/${year}`,
  en: (year, month, day) => `${year}-${month}-${day}`,
  es: (year, month, day) => `${day}/${month}/${year}`,
}

/** A moment in the local time of this UTC offset in minutes: `14/03/2026 10:20:30 (UTC-03:00)`. */
export function momentText(moment: Date, language: RenditionLanguage, offsetMinutes: number): string {
  const [date, time] = plus(moment, offsetMinutes * MINUTE)
    .toISOString()
    .split(/[T.]/) as [string, string]
  const [year, month, day] = date.split('-') as [string, string, string]
  return `${forms[language](year, month, day)} ${time} (${offsetText(offsetMinutes)})`
}

function offsetText(offsetMinutes: number): string {
  const ahead = Math.abs(offsetMinutes)
  const [hours, minutes] = [Math.floor(ahead / 60), ahead % 60].map((part) => String(part).padStart(2, '0'))
  return `UTC${offsetMinutes < 0 ? '-' : '+'}${hours}:${minutes}`
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** UTC offset of a time zone at a moment, in minutes. */
export function zoneOffset(moment: Date, timeZone: string): number {
  // Creating a format takes a hundred times as long as using it.
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  formats.set(timeZone, format)
  const name = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')!.value
  const [, sign, hours = '0', minutes = '0'] = /^GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(name)!
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}
