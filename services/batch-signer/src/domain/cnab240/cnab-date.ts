/** A date field: a real date as `yyyy-MM-dd`, null when zeros or blanks say "none", or unreadable. */
export type CnabDate = { readonly readable: true; readonly date: string | null } | { readonly readable: false }

const none: CnabDate = { readable: true, date: null }
const unreadable: CnabDate = { readable: false }
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Reads `ddMMyyyy`. A bad date never fails a file: the payment simply has no date. */
export function readCnabDate(field: string): CnabDate {
  if (/^(0{8}| {8})$/.test(field)) return none
  if (!/^\d{8}$/.test(field)) return unreadable
  const [day, month, year] = [field.slice(0, 2), field.slice(2, 4), field.slice(4)]
  const real = Number(year) > 0 && Number(day) >= 1 && Number(day) <= daysIn(Number(month), Number(year))
  return real ? { readable: true, date: `${year}-${month}-${day}` } : unreadable
}

function daysIn(month: number, year: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && leap ? 29 : (monthLengths[month - 1] ?? 0)
}
