import type { Columns, RecordCursor } from './record-cursor.ts'

/** A date field: a real date as `yyyy-MM-dd`, null when zeros or blanks say "none", or unreadable. */
type CnabDate = { readonly readable: true; readonly date: string | null } | { readonly readable: false }

const none: CnabDate = { readable: true, date: null }
const unreadable: CnabDate = { readable: false }
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Reads `ddMMyyyy`. A bad date never fails a file: the payment simply has no date. */
export function readCnabDate(record: RecordCursor, columns: Columns): CnabDate {
  const number = record.digits(columns)
  if (number === null) return record.raw(columns).trim() === '' ? none : unreadable
  if (number === 0) return none
  const day = Math.floor(number / 1_000_000)
  const month = Math.floor(number / 10_000) % 100
  const year = number % 10_000
  const real = year > 0 && day >= 1 && day <= daysIn(month, year)
  return real ? { readable: true, date: `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}` } : unreadable
}

const padded = (number: number, width: number): string => String(number).padStart(width, '0')

function daysIn(month: number, year: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && leap ? 29 : (monthLengths[month - 1] ?? 0)
}
