import { isAscii, isUtf8 } from 'node:buffer'
import { refuseXml } from './errors.ts'

/** The document as UTF-8, and where its prolog ends; `transcoded` when these are not the caller's own bytes. */
export type Utf8Document = { readonly bytes: Buffer; readonly start: number; readonly transcoded: boolean }

const UTF8_BOM_LENGTH = 3
const DECLARATION_LIMIT = 256
const DECLARATION =
  /^<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(["'])1\.0\1(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(["'])([A-Za-z][A-Za-z0-9._-]*)\2)?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(["'])(?:yes|no)\4)?[ \t\r\n]*\?>/

/** Encodings by upper-case name: `same` bytes are UTF-8 already, the others are rewritten. */
const ENCODINGS: Readonly<Record<string, 'same' | 'ascii' | 'latin1' | 'utf16'>> = {
  'UTF-8': 'same',
  UTF8: 'same',
  'US-ASCII': 'ascii',
  ASCII: 'ascii',
  'ISO-8859-1': 'latin1',
  LATIN1: 'latin1',
  'UTF-16': 'utf16',
  'UTF-16LE': 'utf16',
  'UTF-16BE': 'utf16',
}

/** The declaration nearly every document has: recognised without a regular expression. */
const USUAL_DECLARATION = Buffer.from('<?xml version="1.0" encoding="UTF-8"?>')

/** Checks the encoding of a document and returns it as UTF-8 without byte order mark and XML declaration. */
export function asUtf8(input: Uint8Array): Utf8Document {
  const bytes = Buffer.isBuffer(input) ? input : Buffer.from(input.buffer, input.byteOffset, input.length)
  if (hasUsualDeclaration(bytes)) {
    refuseNonCharacters(bytes)
    return { bytes, start: USUAL_DECLARATION.length, transcoded: false }
  }
  const utf16 = utf16Label(bytes)
  if (utf16 !== undefined) return transcoded(decodeUtf16(bytes, utf16))
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? UTF8_BOM_LENGTH : 0
  const declaration = readDeclaration(bytes, bom)
  const kind = encodingKind(declaration.encoding)
  if (kind === 'latin1' && bom === 0) return transcoded(bytes.toString('latin1'))
  if (kind === 'utf16' || kind === 'latin1') throw refuseXml('xml.encoding-broken')
  if (kind === 'ascii' && !isAscii(bytes)) throw refuseXml('xml.encoding-broken')
  refuseNonCharacters(bytes)
  return { bytes, start: bom + declaration.length, transcoded: false }
}

function hasUsualDeclaration(bytes: Buffer): boolean {
  const usual = USUAL_DECLARATION
  if (bytes.length < usual.length) return false
  for (let at = 0; at < usual.length; at++) if (bytes[at] !== usual[at]) return false
  return true
}

function encodingKind(encoding: string | undefined) {
  if (encoding === undefined) return 'same'
  const kind = ENCODINGS[encoding.toUpperCase()]
  if (kind === undefined) throw refuseXml('xml.encoding-unsupported', { encoding })
  return kind
}

function utf16Label(input: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (input[0] === 0xff && input[1] === 0xfe) return 'utf-16le'
  if (input[0] === 0xfe && input[1] === 0xff) return 'utf-16be'
  return undefined
}

function decodeUtf16(input: Uint8Array, label: string): string {
  try {
    return new TextDecoder(label, { fatal: true }).decode(input)
  } catch (cause) {
    throw refuseXml('xml.encoding-broken', undefined, cause)
  }
}

function transcoded(text: string): Utf8Document {
  const bytes = Buffer.from(text, 'utf8')
  const { length, encoding } = readDeclaration(bytes, 0)
  const kind = encoding === undefined ? 'utf16' : encodingKind(encoding)
  if (kind !== 'latin1' && kind !== 'utf16') throw refuseXml('xml.encoding-broken')
  refuseNonCharacters(bytes)
  return { bytes, start: length, transcoded: true }
}

function readDeclaration(bytes: Buffer, at: number): { length: number; encoding: string | undefined } {
  if (!startsDeclaration(bytes, at)) return { length: 0, encoding: undefined }
  const head = bytes.toString('latin1', at, Math.min(bytes.length, at + DECLARATION_LIMIT))
  const found = DECLARATION.exec(head)
  if (found === null) throw refuseXml('xml.declaration-malformed')
  return { length: found[0].length, encoding: found[3] }
}

/** `<?xml` followed by white space; `<?xml-stylesheet` is an ordinary processing instruction. */
function startsDeclaration(bytes: Uint8Array, at: number): boolean {
  const isXml = bytes[at] === 0x3c && bytes[at + 1] === 0x3f && bytes[at + 2] === 0x78 && bytes[at + 3] === 0x6d
  return isXml && bytes[at + 4] === 0x6c && (bytes[at + 5] ?? 0) <= 0x20
}

/** XML 1.0 §2.2 excludes U+FFFE and U+FFFF; surrogates are no UTF-8. Native searches keep this out of the scan loop. */
function refuseNonCharacters(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw refuseXml('xml.encoding-broken')
  // Their first byte is rare in the scripts of most documents, and the quickest to search for.
  const lead = bytes.indexOf(0xef)
  if (lead < 0) return
  for (const sequence of ['\ufffe', '\uffff']) {
    const offset = bytes.indexOf(sequence, lead)
    if (offset >= 0) throw refuseXml('xml.character-forbidden', { offset })
  }
}
