import { isAscii } from 'node:buffer'
import { type CodePage, codePage, codePageNames } from './code-pages.ts'
import { refuseXml } from './errors.ts'

/** Encodings of documents that are read and written. Those of UTF-16 begin with their byte order mark. */
export type XmlEncoding = 'UTF-8' | 'US-ASCII' | 'ISO-8859-1' | CodePage | 'UTF-16LE' | 'UTF-16BE'

export type DecodableEncoding = Exclude<XmlEncoding, 'UTF-8'>

const MARKS: Readonly<Partial<Record<XmlEncoding, Buffer>>> = {
  'UTF-8': Buffer.from([0xef, 0xbb, 0xbf]),
  'UTF-16LE': Buffer.from([0xff, 0xfe]),
  'UTF-16BE': Buffer.from([0xfe, 0xff]),
}

/** The encoding whose byte order mark the bytes begin with. */
export function markOf(bytes: Buffer): 'UTF-8' | 'UTF-16LE' | 'UTF-16BE' | undefined {
  if ((bytes[0] ?? 0) < 0xef) return undefined
  for (const encoding of ['UTF-8', 'UTF-16LE', 'UTF-16BE'] as const)
    if (bytes.subarray(0, MARKS[encoding]!.length).equals(MARKS[encoding]!)) return encoding
  return undefined
}

/** The same function for every code page, given its name. */
const ofCodePages = <T>(make: (name: CodePage) => T): Readonly<Record<CodePage, T>> =>
  Object.fromEntries(codePageNames.map((name) => [name, make(name)])) as Record<CodePage, T>

/** The text of the bytes, without byte order mark. Each is exact: encoding the text again gives the same bytes. */
export const decoders: Readonly<Record<DecodableEncoding, (bytes: Buffer) => string>> = {
  'US-ASCII'(bytes) {
    if (isAscii(bytes)) return bytes.toString('latin1')
    throw broken(
      'US-ASCII',
      bytes.findIndex((byte) => byte > 0x7f),
    )
  },
  'ISO-8859-1': (bytes) => bytes.toString('latin1'),
  ...ofCodePages((name) => (bytes) => fromCodePage(bytes, name)),
  'UTF-16LE': (bytes) => fromUtf16(bytes, 'UTF-16LE'),
  // The odd byte of a truncated document must reach the check of `fromUtf16`, and swapping takes pairs only.
  'UTF-16BE': (bytes) => fromUtf16(swapped(bytes), 'UTF-16BE'),
}

function fromCodePage(bytes: Buffer, name: CodePage): string {
  const { characters } = codePage(name)
  return bytes.toString('latin1').replace(/[\x80-\xff]/g, (byte, offset: number) => {
    const character = characters[byte.charCodeAt(0) - 0x80]!
    if (character === '\ufffd') throw broken(name, offset)
    return character
  })
}

function fromUtf16(bytes: Buffer, encoding: XmlEncoding): string {
  if (bytes.length % 2 === 1) throw broken(encoding, bytes.length - 1)
  const text = bytes.toString('utf16le', MARKS[encoding]!.length)
  const unpaired = text.search(/\p{Surrogate}/u)
  if (unpaired >= 0) throw broken(encoding, MARKS[encoding]!.length + 2 * unpaired)
  return text
}

const swapped = (bytes: Buffer): Buffer => (bytes.length % 2 === 1 ? bytes : Buffer.from(bytes).swap16())

const broken = (encoding: XmlEncoding, offset: number) => refuseXml('xml.encoding-broken', { encoding, offset })

/** Markup in an encoding; characters that it lacks become references, so only text and values may have such. */
const encoders: Readonly<Record<XmlEncoding, (text: string) => Buffer>> = {
  'UTF-8': (text) => Buffer.from(text, 'utf8'),
  'US-ASCII': (text) => Buffer.from(text.replace(/[^\0-\x7f]/gu, reference), 'latin1'),
  'ISO-8859-1': (text) => Buffer.from(text.replace(/[^\0-\xff]/gu, reference), 'latin1'),
  ...ofCodePages((name) => (text) => toCodePage(text, name)),
  'UTF-16LE': (text) => Buffer.from(text, 'utf16le'),
  'UTF-16BE': (text) => Buffer.from(text, 'utf16le').swap16(),
}

function toCodePage(text: string, name: CodePage): Buffer {
  const { bytes } = codePage(name)
  const mapped = text.replace(/[^\0-\x7f]/gu, (character) => bytes.get(character) ?? reference(character))
  return Buffer.from(mapped, 'latin1')
}

const reference = (character: string): string => `&#x${character.codePointAt(0)!.toString(16).toUpperCase()};`

/** A piece of a document in its encoding. */
export const encodeXml = (text: string, encoding: XmlEncoding): Buffer => encoders[encoding](text)

/** A document that was read from another encoding and changed since, in that encoding again. */
export function encodeDocument(bytes: Buffer, encoding: XmlEncoding): Buffer {
  if (encoding === 'UTF-8') return bytes
  const encoded = encodeXml(bytes.toString('utf8'), encoding)
  return isMarked(encoding) ? Buffer.concat([MARKS[encoding]!, encoded]) : encoded
}

/** The offset in the document of what is at this offset of its UTF-8 form. */
export function ownOffset(bytes: Buffer, encoding: XmlEncoding, offset: number): number {
  if (encoding === 'UTF-8' || encoding === 'US-ASCII') return offset
  return encodeDocument(bytes.subarray(0, offset), encoding).length
}

/** A document in UTF-8 keeps its mark, if it has one, in its bytes. */
const isMarked = (encoding: XmlEncoding): boolean => encoding === 'UTF-16LE' || encoding === 'UTF-16BE'
