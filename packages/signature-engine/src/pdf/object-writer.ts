import { isCommonName } from './common-names.ts'
import {
  isArray,
  isDict,
  isRef,
  isStream,
  isString,
  nameOf,
  type PdfArray,
  type PdfDict,
  type PdfObject,
  type PdfRef,
  type PdfStream,
} from './pdf-object.ts'
import { textString } from './text-string.ts'

/** An object as PDF text, one character per byte. Streams have separate bytes: see {@link streamHead}. */
export function writeObject(value: Exclude<PdfObject, PdfStream>): string {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return writeNumber(value)
  if (isArray(value)) return writeArray(value)
  if (isDict(value)) return writeDict(value)
  if (isRef(value)) return writeRef(value)
  if (isString(value)) return value.hex ? `<${Buffer.from(value.bytes).toString('hex')}>` : writeLiteral(value.bytes)
  return writeName(nameOf(value) ?? '')
}

/** A reference as PDF text. */
export const writeRef = ({ num, gen }: PdfRef): string => `${num} ${gen} R`

const PLAIN_TEXT = /^[A-Za-z0-9 .,:;+_-]*$/

/** A text string as PDF text: written as it is when it needs neither escapes nor another encoding. */
export const writeText = (text: string): string => (PLAIN_TEXT.test(text) ? `(${text})` : writeObject(textString(text)))

/** The bytes before a stream's data: its dictionary with the right /Length, and the keyword. */
export function streamHead(stream: PdfStream): string {
  return `${writeDict(new Map([...stream.dict, ['Length', stream.raw.length]]))}\nstream\n`
}

const PLAIN_NAME = /^[A-Za-z0-9.+_-]*$/

/** A name with every byte escaped that could end it or that is not plain ASCII. */
const writeName = (text: string): string =>
  isCommonName(text) || PLAIN_NAME.test(text) ? `/${text}` : `/${text.replace(/[^A-Za-z0-9.+_-]/g, escapedByte)}`

const escapedByte = (char: string): string => `#${char.charCodeAt(0).toString(16).padStart(2, '0')}`

/** One entry of a dictionary: key and value. */
export const writeEntry = (key: string, value: PdfObject): string => `${writeName(key)} ${writeInner(value)}`

function writeDict(dict: PdfDict): string {
  let text = '<<'
  for (const [key, value] of dict) text += `${writeEntry(key, value)}\n`
  return `${text}>>`
}

function writeArray(values: PdfArray): string {
  let text = '['
  for (let i = 0; i < values.length; i++) text += i === 0 ? writeInner(values[i]!) : ` ${writeInner(values[i]!)}`
  return `${text}]`
}

function writeInner(value: PdfObject): string {
  // A stream is always an indirect object (ISO 32000-1 §7.3.8.1), so none can be inside another.
  if (isStream(value)) throw new TypeError('a stream cannot stand inside another object')
  return writeObject(value)
}

function writeNumber(value: number): string {
  if (Number.isSafeInteger(value)) return String(value)
  if (!Number.isFinite(value)) throw new TypeError('a PDF number must be finite')
  const text = String(value)
  // PDF has no exponents (§7.3.3).
  return text.includes('e') ? value.toFixed(Math.abs(value) < 1 ? 10 : 0) : text
}

function writeLiteral(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('latin1')
  return `(${text.replace(/[()\\\r]/g, (char) => (char === '\r' ? '\\r' : `\\${char}`))})`
}
