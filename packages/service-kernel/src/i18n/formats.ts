import type { Language } from './catalogue.ts'

/** Styles of a date. */
const STYLES = {
  date: { dateStyle: 'short' },
  'date-time': { dateStyle: 'short', timeStyle: 'medium' },
  'long-date': { dateStyle: 'long' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

export type DateStyle = keyof typeof STYLES

const dateFormats = new Map<string, Intl.DateTimeFormat>()
const numberFormats = new Map<string, Intl.NumberFormat>()

/** Formats a date in the language. The time zone is required: the server's own would be arbitrary. */
export function formatDate(moment: Date, language: Language, timeZone: string, style: DateStyle = 'date-time'): string {
  const make = () => new Intl.DateTimeFormat(language, { ...STYLES[style], timeZone })
  return kept(dateFormats, `${language} ${timeZone} ${style}`, make).format(moment)
}

/** Formats a number in the language; with the given fraction digits, else as many as it has, up to three. */
export function formatNumber(value: number | bigint, language: Language, fractionDigits?: number): string {
  const digits =
    fractionDigits === undefined ? {} : { minimumFractionDigits: fractionDigits, maximumFractionDigits: fractionDigits }
  return kept(numberFormats, `${language} ${fractionDigits}`, () => new Intl.NumberFormat(language, digits)).format(
    value,
  )
}

// Creating a format takes a hundred times as long as using it.
function kept<Format>(formats: Map<string, Format>, key: string, make: () => Format): Format {
  const known = formats.get(key) ?? make()
  formats.set(key, known)
  return known
}
