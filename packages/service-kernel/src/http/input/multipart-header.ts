/** A header value with parameters: `form-data; name="file"; filename*=UTF-8''a%C3%A7%C3%A3o.pdf`. */
export interface ParameterisedValue {
  /** In lower case. */
  readonly value: string
  /** By lower-case name; extended and continued parameters are merged under their plain name. */
  readonly parameters: ReadonlyMap<string, string>
}

const PARAMETER = /;\s*(?:([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*)))?\s*/y

/** Parses a header value, its bytes given as Latin-1 text; undefined when it is malformed. */
export function parameterisedValue(text: string): ParameterisedValue | undefined {
  const end = text.indexOf(';')
  const value = (end < 0 ? text : text.slice(0, end)).trim().toLowerCase()
  const pieces = end < 0 ? [] : piecesOf(text, end)
  return value === '' || !pieces ? undefined : { value, parameters: joined(pieces) }
}

type Piece = readonly [name: string, value: string]

function piecesOf(text: string, start: number): readonly Piece[] | undefined {
  const pieces: Piece[] = []
  PARAMETER.lastIndex = start
  while (PARAMETER.lastIndex < text.length) {
    const found = PARAMETER.exec(text)
    // A failed match has reset lastIndex to 0: what follows is no parameter.
    if (!found) return undefined
    const [, name, quoted, token = ''] = found
    if (name !== undefined) pieces.push([name.toLowerCase(), quoted === undefined ? token : unescaped(quoted)])
  }
  return pieces
}

// Some clients write Windows paths without escaping: only a quote and a backslash can be escaped.
const unescaped = (quoted: string): string => quoted.replace(/\\(["\\])/g, '$1')

// RFC 2231: `name*` is in a charset, `name*0`, `name*1*` … are one value in pieces.
const EXTENDED_NAME = /^([^*]+)\*(?:(\d{1,2})(\*?))?$/

function joined(pieces: readonly Piece[]): ReadonlyMap<string, string> {
  const plain = new Map<string, string>()
  const extended = new Map<string, string>()
  const continued = new Map<string, Map<number, Buffer>>()
  for (const [name, value] of pieces) {
    const [, base, index, encoded] = EXTENDED_NAME.exec(name) ?? []
    if (base === undefined) plain.set(name, decoded(Buffer.from(value, 'latin1')))
    else if (index === undefined) setExtended(extended, base, value)
    else section(continued, base).set(Number(index), encoded ? octets(value) : Buffer.from(value, 'latin1'))
  }
  const whole = [...continued].map(([name, sections]) => [name, continuedValue(sections)] as const)
  // RFC 6266 4.3: if both forms are given, the extended one counts; the plain one is for old readers.
  return new Map([...plain, ...whole, ...extended])
}

function section(continued: Map<string, Map<number, Buffer>>, name: string): Map<number, Buffer> {
  const sections = continued.get(name) ?? new Map<number, Buffer>()
  continued.set(name, sections)
  return sections
}

function continuedValue(sections: ReadonlyMap<number, Buffer>): string {
  const inOrder = [...sections].sort(([a], [b]) => a - b).map(([, bytes]) => bytes)
  const bytes = Buffer.concat(inOrder)
  const form = EXTENDED_VALUE.exec(bytes.toString('latin1'))
  return form ? inCharset(Buffer.from(form[2]!, 'latin1'), form[1]!) : decoded(bytes)
}

const EXTENDED_VALUE = /^([\w-]*)'[\w-]*'(.*)$/s

function setExtended(extended: Map<string, string>, name: string, value: string): void {
  const [, charset, text] = EXTENDED_VALUE.exec(value) ?? []
  if (charset !== undefined) extended.set(name, inCharset(octets(text!), charset))
}

const octets = (text: string): Buffer =>
  Buffer.from(
    text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )

const inCharset = (bytes: Buffer, charset: string): string =>
  /^(?:utf-?8)?$/i.test(charset) ? decoded(bytes) : bytes.toString('latin1')

/** Web forms are UTF-8; anything else is an older client's Latin-1. */
export function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // The decoder throws TypeError when the bytes are not UTF-8.
    return bytes.toString('latin1')
  }
}
