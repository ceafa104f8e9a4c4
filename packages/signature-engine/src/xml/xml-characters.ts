// The character classes of XML 1.0 (fifth edition) as tables over bytes, and the text forms that references stand for.

const TAB = 0x09
export const LINE_FEED = 0x0a
export const CARRIAGE_RETURN = 0x0d
export const SPACE = 0x20
export const EXCLAMATION = 0x21
export const QUOTE = 0x22
export const AMPERSAND = 0x26
export const APOSTROPHE = 0x27
export const HYPHEN = 0x2d
export const SLASH = 0x2f
export const COLON = 0x3a
export const SEMICOLON = 0x3b
export const LESS = 0x3c
export const EQUALS = 0x3d
export const GREATER = 0x3e
export const QUESTION = 0x3f
export const BRACKET_CLOSE = 0x5d

/** Bytes that stop the scan of character data: markup, references, non-canonical and forbidden ones. */
export const STOPS_TEXT = table((byte) => isControl(byte) || byte === 0x0d || '<&>'.includes(String.fromCharCode(byte)))

/** Bytes that stop the scan of an attribute value: quotes, markup, references, white space to normalise, forbidden. */
export const STOPS_VALUE = table((byte) => byte < SPACE || '<&"\''.includes(String.fromCharCode(byte)))

export const NAME_START = 1
export const NON_ASCII = 4
export const NAME_COLON = 8

/** 0: no part of a name, 1: may begin one, 2: may continue one, 4: from 0x80, checked separately, 8: the colon. */
export const NAME_CLASS = Uint8Array.from({ length: 256 }, (_, byte) => nameClass(byte))

/** Whether the byte is XML white space. */
export const isSpace = (byte: number): boolean =>
  byte === SPACE || byte === LINE_FEED || byte === TAB || byte === CARRIAGE_RETURN

/** Whether a code point is a `Char` of XML 1.0 §2.2. */
export const isCharacter = (code: number): boolean =>
  code >= 0x20
    ? code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff)
    : code === TAB || code === LINE_FEED || code === CARRIAGE_RETURN

/** The control characters that XML 1.0 forbids even as text. */
export function isControl(byte: number): boolean {
  return byte < SPACE && byte !== TAB && byte !== LINE_FEED && byte !== CARRIAGE_RETURN
}

const NAME_START_SET =
  'A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}-\\u{200D}\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}'
const NC_NAME = `[${NAME_START_SET}][${NAME_START_SET}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}-\\u{2040}]*`
const QUALIFIED_NAME = new RegExp(`^${NC_NAME}(?::${NC_NAME})?$`, 'u')

/** Whether the text is a name with at most one prefix (Namespaces in XML §4). */
export const isQualifiedName = (name: string): boolean => QUALIFIED_NAME.test(name)

/** Whether the text is a name without colon, as an `ID` must be. */
export const isPlainName = (name: string): boolean => QUALIFIED_NAME.test(name) && !name.includes(':')

/** The entities that XML predefines; a document without DTD has no others. */
export const PREDEFINED_ENTITIES: Readonly<Record<string, number>> = {
  amp: 0x26,
  lt: 0x3c,
  gt: 0x3e,
  quot: 0x22,
  apos: 0x27,
}

const REFERENCE = /&(?:#x([0-9a-fA-F]+)|#([0-9]+)|(\w+));/g

/** Character data as the application sees it: line ends normalised (§2.11), references resolved. Input was scanned. */
export function textValue(raw: string): string {
  const lines = raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw
  return resolveReferences(lines)
}

/** An attribute value as the application sees it: white space normalised as for CDATA (§3.3.3). Input was scanned. */
export function attributeValue(raw: string): string {
  return resolveReferences(raw.replace(/\r\n|[\t\r\n]/g, ' '))
}

function resolveReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(REFERENCE, (_, hex: string | undefined, decimal: string | undefined, name: string) =>
    String.fromCodePoint(
      hex !== undefined
        ? Number.parseInt(hex, 16)
        : decimal !== undefined
          ? Number.parseInt(decimal, 10)
          : PREDEFINED_ENTITIES[name]!,
    ),
  )
}

const TEXT_ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' }
const VALUE_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
}

// Hardly any text needs escaping: checking its characters costs less than starting a regular expression.
const TEXT_ESCAPED = escaped(TEXT_ESCAPES)
const VALUE_ESCAPED = escaped(VALUE_ESCAPES)

function escaped(escapes: Readonly<Record<string, string>>): Uint8Array {
  return table((byte) => Object.hasOwn(escapes, String.fromCharCode(byte)))
}

function needsEscapes(value: string, escapedCodes: Uint8Array): boolean {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code < escapedCodes.length && escapedCodes[code] === 1) return true
  }
  return false
}

/** Character data in the canonical form (Canonical XML §2.3, text nodes). */
export const canonicalText = (value: string): string =>
  needsEscapes(value, TEXT_ESCAPED) ? value.replace(/[&<>\r]/g, (found) => TEXT_ESCAPES[found]!) : value

/** An attribute value in the canonical form (Canonical XML §2.3, attribute nodes). */
export const canonicalValue = (value: string): string =>
  needsEscapes(value, VALUE_ESCAPED) ? value.replace(/[&<"\t\n\r]/g, (found) => VALUE_ESCAPES[found]!) : value

/** Orders two strings by code point, which is also the order of their UTF-8 bytes; `<` would order surrogates wrongly. */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let at = 0; at < length; at++) {
    const a = left.charCodeAt(at)
    const b = right.charCodeAt(at)
    if (a === b) continue
    const surrogates = Number((a & 0xf800) === 0xd800) - Number((b & 0xf800) === 0xd800)
    return surrogates === 0 ? a - b : surrogates
  }
  return left.length - right.length
}

function table(stops: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => Number(stops(byte)))
}

function nameClass(byte: number): number {
  if (byte >= 0x80) return NON_ASCII
  const text = String.fromCharCode(byte)
  if (/[A-Za-z_]/.test(text)) return NAME_START
  if (byte === COLON) return NAME_COLON
  return /[-.0-9]/.test(text) ? 2 : 0
}
