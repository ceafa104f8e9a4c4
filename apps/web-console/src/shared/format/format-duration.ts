import type { Language } from '../i18n/languages.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Two units at most, each in its largest fitting size: `850 ms`, `12.3 s`, `3 min 12 s`, `2 h 5 min`, `4 d 7 h`. */
export function formatDuration(milliseconds: number, language: Language): string {
  const write = (value: number, unit: string, digits = 0) =>
    `${new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value)} ${unit}`
  const pair = (large: number, largeUnit: string, small: number, smallUnit: string) =>
    small === 0 ? write(large, largeUnit) : `${write(large, largeUnit)} ${write(small, smallUnit)}`
  const within = (size: number, part: number) => Math.floor((milliseconds % size) / part)
  if (milliseconds < 10) return write(milliseconds, 'ms', 1)
  if (milliseconds < SECOND) return write(Math.round(milliseconds), 'ms')
  if (milliseconds < MINUTE) return write(milliseconds / SECOND, 's', 1)
  if (milliseconds < HOUR) return pair(Math.floor(milliseconds / MINUTE), 'min', within(MINUTE, SECOND), 's')
  if (milliseconds < DAY) return pair(Math.floor(milliseconds / HOUR), 'h', within(HOUR, MINUTE), 'min')
  return pair(Math.floor(milliseconds / DAY), 'd', within(DAY, HOUR), 'h')
}
