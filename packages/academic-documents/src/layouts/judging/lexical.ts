// The written forms of dates, numbers, Base64 and addresses, judged as libxml2 judges them, where XML Schema leaves room.

const DATE = /^-?([1-9][0-9]{4,17}|[0-9]{4})-([0-9]{2})-([0-9]{2})(?:Z|[+-](?:(?:0[0-9]|1[0-3]):[0-5][0-9]|14:00))?$/

/** A date that exists. Blanks around it are not taken away, unlike XML Schema says: libxml2 refuses them too. */
export function isDate(value: string): boolean {
  const parts = DATE.exec(value)
  if (parts === null) return false
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  return year !== 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month)
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

function daysOf(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && isLeap ? 29 : DAYS[month - 1]!
}

/** A decimal number in its parts, or `undefined`: sign, digits before and after the point. */
export interface DecimalParts {
  readonly negative: boolean
  readonly whole: string
  readonly fraction: string
}

const DECIMAL = /^([+-]?)(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))$/
/** libxml2 keeps so many digits and refuses longer numbers. */
const MOST_DIGITS = 24

export function decimalParts(value: string): DecimalParts | undefined {
  const parts = DECIMAL.exec(value)
  if (parts === null) return undefined
  const whole = (parts[2] ?? '').replace(/^0+/, '')
  const fraction = parts[3] ?? parts[4] ?? ''
  if (whole.length + fraction.length > MOST_DIGITS) return undefined
  return { negative: parts[1] === '-', whole, fraction: fraction.replace(/0+$/, '') }
}

export const asNumber = ({ negative, whole, fraction }: DecimalParts): number =>
  Number(`${negative ? '-' : ''}${whole || '0'}.${fraction || '0'}`)

export const isInteger = (value: string): boolean => /^[+-]?[0-9]+$/.test(value)

const SEXTET = new Int8Array(128).fill(-1)
for (const [at, character] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  SEXTET[character.charCodeAt(0)] = at

const PADDING = 0x3d

/**
 * Base64 as libxml2 reads it: characters outside the alphabet are passed over, as RFC 2045 says; the bits that padding
 * leaves over must be zero.
 */
export function isBase64(value: string): boolean {
  let digits = 0
  let padding = 0
  let last = 0
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    const sextet = code < SEXTET.length ? SEXTET[code]! : -1
    if (code === PADDING) padding++
    else if (sextet >= 0) {
      if (padding > 0) return false
      last = sextet
      digits++
    }
  }
  if (padding > 2 || (digits + padding) % 4 !== 0) return false
  return padding === 0 || (last & (padding === 1 ? 0b11 : 0b1111)) === 0
}

/** What documents are written with: the alphabet, padding and blanks, and nothing else. */
export const isCleanBase64 = (value: string): boolean => !/[^A-Za-z0-9+/=\t\n\r ]/.test(value) && isBase64(value)

// RFC 3986, after what no URI may hold is replaced, as anyURI allows it. libxml2 wants digits after the colon of a port.
const UNFIT = /[^!#-;=?-[\]_a-z~]/gu
const PCHAR = "(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})"
const HOST = "(?:\\[[^\\]]*\\]|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)"
const USER = "(?:(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*@)?"
const AUTHORITY = `//${USER}${HOST}(?::([0-9]+))?`
const PATH_BEHIND = `(?:/${PCHAR}*)*`
const SEGMENT_WITHOUT_COLON = "(?:[A-Za-z0-9._~!$&'()*+,;=@-]|%[0-9A-Fa-f]{2})+"
const TAIL = `(?:\\?(?:${PCHAR}|[/?])*)?(?:#(?:${PCHAR}|[/?\\[\\]])*)?`
const ABSOLUTE = `[A-Za-z][A-Za-z0-9+.-]*:(?:${AUTHORITY}${PATH_BEHIND}|/?(?:${PCHAR}+${PATH_BEHIND})?)`
const RELATIVE = `(?:${AUTHORITY}${PATH_BEHIND}|/(?:${PCHAR}+${PATH_BEHIND})?|${SEGMENT_WITHOUT_COLON}${PATH_BEHIND})?`
const URI = new RegExp(`^(?:${ABSOLUTE}|${RELATIVE})${TAIL}$`)
const HIGHEST_PORT = 2_147_483_647

export function isUri(value: string): boolean {
  const parts = URI.exec(value.replace(UNFIT, '_'))
  if (parts === null) return false
  const port = parts[1] ?? parts[2]
  return port === undefined || Number(port) <= HIGHEST_PORT
}
