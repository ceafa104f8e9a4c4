import { isUtf8 } from 'node:buffer'
import { type CodePage, codePageNames } from './code-pages.ts'
import { type DecodableEncoding, decoders, markOf, type XmlEncoding } from './encodings.ts'
import { refuseXml } from './errors.ts'

/** The document as UTF-8, and where its prolog ends; `transcoded` when these are not the caller's own bytes. */
export type Utf8Document = {
  readonly bytes: Buffer
  readonly start: number
  readonly encoding: XmlEncoding
  readonly transcoded: boolean
}

const DECLARATION_LIMIT = 256
const DECLARATION =
  /^<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(["'])(1\.[0-9]+)\1(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(["'])([A-Za-z][A-Za-z0-9._-]*)\3)?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(["'])(?:yes|no)\5)?[ \t\r\n]*\?>/

/** IANA's names of the parts of ISO 8859 that have one besides their number. */
const LATIN: Readonly<Partial<Record<CodePage, number>>> = {
  'ISO-8859-2': 2,
  'ISO-8859-3': 3,
  'ISO-8859-4': 4,
  'ISO-8859-9': 5,
  'ISO-8859-10': 6,
  'ISO-8859-14': 8,
  'ISO-8859-15': 9,
  'ISO-8859-16': 10,
}

function namesOf(name: CodePage): readonly string[] {
  const upper = name.toUpperCase()
  if (upper.startsWith('WINDOWS-')) return [upper, upper.replace('WINDOWS-', 'CP')]
  const latin = LATIN[name] === undefined ? [] : [`LATIN${LATIN[name]}`, `L${LATIN[name]}`]
  return [upper, upper.replace('ISO-', 'ISO_'), ...latin]
}

/** Encodings by the upper-case names they are declared with; `UTF-16` leaves the order to the byte order mark. */
const DECLARED: Readonly<Record<string, XmlEncoding | 'UTF-16'>> = {
  'UTF-8': 'UTF-8',
  UTF8: 'UTF-8',
  'US-ASCII': 'US-ASCII',
  ASCII: 'US-ASCII',
  'ISO-8859-1': 'ISO-8859-1',
  'ISO_8859-1': 'ISO-8859-1',
  LATIN1: 'ISO-8859-1',
  L1: 'ISO-8859-1',
  ...Object.fromEntries(codePageNames.flatMap((name) => namesOf(name).map((alias) => [alias, name]))),
  'UTF-16': 'UTF-16',
  'UTF-16LE': 'UTF-16LE',
  'UTF-16BE': 'UTF-16BE',
}

/** The declaration nearly every document has: recognised without a regular expression. */
const USUAL_DECLARATION = Buffer.from('<?xml version="1.0" encoding="UTF-8"?>')

/** Checks the encoding of a document and returns it as UTF-8, with the offset behind its mark and XML declaration. */
export function asUtf8(input: Uint8Array): Utf8Document {
  const bytes = Buffer.isBuffer(input) ? input : Buffer.from(input.buffer, input.byteOffset, input.length)
  if (hasUsualDeclaration(bytes)) return utf8(bytes, USUAL_DECLARATION.length)
  const mark = markOf(bytes)
  if (mark === 'UTF-16LE' || mark === 'UTF-16BE') return utf16(bytes, mark)
  refuseUnmarkedUtf16(bytes)
  const bom = mark === undefined ? 0 : 3
  const { length, declared } = readDeclaration(bytes, bom)
  const encoding = encodingOf(declared) ?? 'UTF-8'
  if (encoding === 'UTF-16' || encoding.startsWith('UTF-16')) throw contradicted(declared, mark ?? 'single bytes')
  if (mark !== undefined && encoding !== mark) throw contradicted(declared, mark)
  return encoding === 'UTF-8' ? utf8(bytes, bom + length) : decoded(bytes, encoding as DecodableEncoding, length)
}

function hasUsualDeclaration(bytes: Buffer): boolean {
  const usual = USUAL_DECLARATION
  if (bytes.length < usual.length) return false
  for (let at = 0; at < usual.length; at++) if (bytes[at] !== usual[at]) return false
  return true
}

function utf8(bytes: Buffer, start: number): Utf8Document {
  if (!isUtf8(bytes)) throw refuseXml('xml.encoding-broken', { encoding: 'UTF-8', offset: brokenUtf8(bytes) })
  refuseNonCharacters(bytes)
  return { bytes, start, encoding: 'UTF-8', transcoded: false }
}

function utf16(bytes: Buffer, mark: 'UTF-16LE' | 'UTF-16BE'): Utf8Document {
  const text = Buffer.from(decoders[mark](bytes), 'utf8')
  const { length, declared } = readDeclaration(text, 0)
  const encoding = encodingOf(declared) ?? 'UTF-16'
  if (encoding !== 'UTF-16' && encoding !== mark) throw contradicted(declared, mark)
  refuseNonCharacters(text)
  return { bytes: text, start: length, encoding: mark, transcoded: true }
}

/** The declaration is ASCII in all of these encodings: it is as long in UTF-8 as it was. */
function decoded(bytes: Buffer, encoding: DecodableEncoding, start: number): Utf8Document {
  const text = decoders[encoding](bytes)
  if (encoding === 'US-ASCII') return { bytes, start, encoding, transcoded: false }
  return { bytes: Buffer.from(text, 'utf8'), start, encoding, transcoded: true }
}

function encodingOf(declared: string | undefined): XmlEncoding | 'UTF-16' | undefined {
  if (declared === undefined) return undefined
  const name = declared.toUpperCase()
  if (!Object.hasOwn(DECLARED, name)) throw refuseXml('xml.encoding-unsupported', { encoding: declared })
  return DECLARED[name]
}

const contradicted = (declared: string | undefined, found: string) =>
  refuseXml('xml.encoding-contradicted', { declared, found })

/** XML 1.0 §4.3.3 requires the mark; without it the order of the bytes would be a guess. */
function refuseUnmarkedUtf16(bytes: Buffer): void {
  const isLittle = bytes[0] === 0x3c && bytes[1] === 0
  const isBig = bytes[0] === 0 && bytes[1] === 0x3c
  if (isLittle || isBig) throw refuseXml('xml.byte-order-mark-missing')
}

function readDeclaration(bytes: Buffer, at: number): { length: number; declared: string | undefined } {
  if (!startsDeclaration(bytes, at)) return { length: 0, declared: undefined }
  const head = bytes.toString('latin1', at, Math.min(bytes.length, at + DECLARATION_LIMIT))
  const found = DECLARATION.exec(head)
  if (found === null) throw refuseXml('xml.declaration-malformed')
  const [declaration, , version, , declared] = found
  if (version !== '1.0') throw refuseXml('xml.version-unsupported', { version })
  return { length: declaration.length, declared }
}

/** `<?xml` followed by white space; `<?xml-stylesheet` is an ordinary processing instruction. */
function startsDeclaration(bytes: Uint8Array, at: number): boolean {
  const isXml = bytes[at] === 0x3c && bytes[at + 1] === 0x3f && bytes[at + 2] === 0x78 && bytes[at + 3] === 0x6d
  return isXml && bytes[at + 4] === 0x6c && (bytes[at + 5] ?? 0) <= 0x20
}

/** Where decoding first had to replace something; read only for the refusal. */
function brokenUtf8(bytes: Buffer): number {
  const replaced = Buffer.from(bytes.toString('utf8'), 'utf8')
  let at = 0
  while (at < bytes.length && bytes[at] === replaced[at]) at++
  return at
}

/** XML 1.0 §2.2 excludes U+FFFE and U+FFFF; surrogates are no UTF-8. Native searches keep this out of the scan loop. */
function refuseNonCharacters(bytes: Buffer): void {
  // Their first byte is rare in the scripts of most documents, and the quickest to search for.
  const lead = bytes.indexOf(0xef)
  if (lead < 0) return
  for (const sequence of ['\ufffe', '\uffff']) {
    const offset = bytes.indexOf(sequence, lead)
    if (offset >= 0) throw refuseXml('xml.character-forbidden', { offset })
  }
}
