import type { PdfString } from './pdf-object.ts'

/** PDFDocEncoding where it differs from Latin-1 (ISO 32000-1 annex D.2): 0x18 to 0x1f and 0x80 to 0xa0. */
const DOC_ENCODING: Readonly<Record<number, string>> = Object.fromEntries([
  ...[...'˘ˇˆ˙˝˛˚˜'].map((char, i) => [0x18 + i, char]),
  ...[...'•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž'].map((char, i) => [0x80 + i, char]),
  [0xa0, '€'],
])

/** Where the encoding is Latin-1, as in nearly every text. */
const isLatin1 = (byte: number): boolean => byte < 0x18 || (byte > 0x1f && byte < 0x80) || byte > 0xa0

/** A text string: ASCII as it is, anything else as UTF-16 with a byte order mark (ISO 32000-1 §7.9.2.2). */
export function textString(text: string): PdfString {
  const plain = /^[\x20-\x7e]*$/.test(text)
  const bytes = plain ? Buffer.from(text, 'latin1') : Buffer.from(`\ufeff${text}`, 'utf16le').swap16()
  return { kind: 'string', bytes, hex: !plain }
}

/** The text of a text string, in any of the three encodings. */
export function decodeText({ bytes }: PdfString): string {
  const buffer = Buffer.from(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    return buffer
      .subarray(2, buffer.length - (buffer.length % 2))
      .swap16()
      .toString('utf16le')
  }
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return buffer.subarray(3).toString('utf8')
  if (bytes.every(isLatin1)) return buffer.toString('latin1')
  return Array.from(bytes, (byte) => DOC_ENCODING[byte] ?? String.fromCharCode(byte)).join('')
}

const DOC_BYTES: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 256 }, (_, byte) => [DOC_ENCODING[byte] ?? String.fromCharCode(byte), byte] as const),
)

/** Text in PDFDocEncoding; undefined when it has a character that is not in it. */
export function docEncoded(text: string): Uint8Array | undefined {
  const bytes = [...text].map((char) => DOC_BYTES.get(char))
  return bytes.every((byte) => byte !== undefined) ? Uint8Array.from(bytes) : undefined
}

const TWO_DIGITS: readonly string[] = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'))

/** A date as PDF writes it, in universal time: `D:20260131235959+00'00'`. */
export function dateText(date: Date): string {
  const year = date.getUTCFullYear()
  // Every signature has one: parsing an ISO text costs four times as much, but throws for an invalid date.
  const digits = year >= 1000 && year <= 9999 ? String(year) : date.toISOString().slice(0, 4)
  const day = `${digits}${TWO_DIGITS[date.getUTCMonth() + 1]}${TWO_DIGITS[date.getUTCDate()]}`
  const time = `${TWO_DIGITS[date.getUTCHours()]}${TWO_DIGITS[date.getUTCMinutes()]}${TWO_DIGITS[date.getUTCSeconds()]}`
  return `D:${day}${time}+00'00'`
}

/** The same as a string object. */
export const dateString = (date: Date): PdfString => ({
  kind: 'string',
  bytes: Buffer.from(dateText(date), 'latin1'),
  hex: false,
})
