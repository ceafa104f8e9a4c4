import type { Language } from './catalogue.ts'

/** How much of a moment is shown. */
const STYLES = {
  date: { dateStyle: 'short' },
  'date-time': { dateStyle: 'short', timeStyle: 'medium' },
  'long-date': { dateStyle: 'long' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

export type DateStyle = keyof typeof STYLES

const dateFormats = new Map<string, Intl.DateTimeFormat>()
const numberFormats = new Map<string, Intl.NumberFormat>()

/** A moment as people of the language write it. The time zone is always said: nobody asked for the server's own. */
export function formatDate(moment: Date, language: Language, timeZone: string, style: DateStyle = 'date-time'): string {
  const make = () => new Intl.DateTimeFormat(language, { ...STYLES[style], timeZone })
  return kept(dateFormats, `${language} ${timeZone} ${style}`, make).format(moment)
}

/**
 * A number as people of the language write it; digits after the comma as given, else as many as it has, up to three.
 */
export function formatNumber(value: number | bigint, language: Language, fractionDigits?: number): string {
  const digits =
    fractionDigits === undefined ? {} : { minimumFractionDigits: fractionDigits, maximumFractionDigits: fractionDigits }
  return kept(numberFormats, `${language} ${fractionDigits}`, () => new Intl.NumberFormat(language, digits)).format(
    value,
  )
}

// Making a format takes a hundred times as long as using it.
function kept<Format>(formats: Map<string, Format>, key: string, make: () => Format): Format {
  const known = formats.get(key) ?? make()
  formats.set(key, known)
  return known
}
