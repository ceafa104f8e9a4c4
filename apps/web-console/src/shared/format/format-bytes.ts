import type { Language } from '../i18n/languages.ts'

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

/** A size in the largest unit that leaves at least 1: `20.5 KiB`. */
export function formatBytes(bytes: number, language: Language): string {
  const power = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10))
  const value = new Intl.NumberFormat(language, { maximumFractionDigits: power === 0 ? 0 : 1 })
  return `${value.format(bytes / 1024 ** power)} ${UNITS[power]}`
}
