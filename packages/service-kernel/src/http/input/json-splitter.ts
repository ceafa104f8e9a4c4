/** Callbacks of a splitter. */
export interface JsonPieces {
  /** Bytes of the JSON around the field's text: concatenated they are JSON with an empty text in its place. */
  other(bytes: Buffer): void
  /** The text of the field begins. */
  begin(): void
  /** A piece of it, unescaped and without white space. */
  text(piece: string): void
  end(): void
}

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)

/**
 * Extracts the text of one field of a JSON object from the bytes, as they arrive. It parses only as much as it needs to
 * find the field: `JSON.parse` checks the JSON around it when all of it is there.
 */
export class JsonSplitter {
  readonly #field: string
  readonly #pieces: JsonPieces
  readonly #anyCase: boolean
  #depth = 0
  #inString = false
  #isEscaped = false
  /** Whether a string that begins here is a name of the object. */
  #mayBeName = false
  /** The name that is being read, still escaped. */
  #name: string | undefined
  #isField = false
  #isNext = false
  #inText = false
  #cutEscape = ''

  constructor(field: string, pieces: JsonPieces, anyCase = false) {
    this.#anyCase = anyCase
    this.#field = anyCase ? field.toLowerCase() : field
    this.#pieces = pieces
  }

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) at = this.#inText ? this.#takeText(chunk, at) : this.#takeOther(chunk, at)
  }

  /** Up to the quote before the text of the field, included. */
  #takeOther(chunk: Buffer, from: number): number {
    let at = from
    while (at < chunk.length && !this.#inText) this.#look(chunk[at++]!)
    this.#pieces.other(chunk.subarray(from, at))
    if (this.#inText) this.#pieces.begin()
    return at
  }

  #look(byte: number): void {
    if (this.#inString) this.#lookInString(byte)
    else if (byte === QUOTE) this.#beginString()
    else if (!isSpace(byte)) this.#lookAtMark(byte)
  }

  #beginString(): void {
    this.#inText = this.#isNext
    this.#inString = !this.#isNext
    this.#name = this.#mayBeName ? '' : undefined
    this.#mayBeName = this.#isField = this.#isNext = false
  }

  #lookInString(byte: number): void {
    if (byte === QUOTE && !this.#isEscaped) {
      this.#inString = false
      const name = this.#name === undefined ? undefined : nameOf(this.#name)
      this.#isField = (this.#anyCase ? name?.toLowerCase() : name) === this.#field
      return
    }
    this.#isEscaped = byte === BACKSLASH && !this.#isEscaped
    // Longer than the field with every letter escaped: another field.
    if (this.#name !== undefined)
      this.#name = this.#name.length > this.#field.length * 6 ? undefined : this.#name + String.fromCharCode(byte)
  }

  #lookAtMark(byte: number): void {
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#depth += 1
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#depth -= 1
    this.#isNext = byte === COLON && this.#isField
    this.#mayBeName = this.#depth === 1 && (byte === OPEN_OBJECT || byte === COMMA)
    this.#isField = false
  }

  /** Up to the quote that ends the text; the quote itself belongs to the JSON around it. */
  #takeText(chunk: Buffer, from: number): number {
    const cut = this.#cutEscape.length
    const text = this.#cutEscape + chunk.toString('latin1', from)
    const end = closingQuote(text)
    const piece = end < 0 ? text.replace(CUT_ESCAPE, '') : text.slice(0, end)
    this.#cutEscape = end < 0 ? text.slice(piece.length) : ''
    this.#pieces.text(plain(piece))
    if (end < 0) return chunk.length
    this.#inText = false
    const at = from + end - cut + 1
    this.#pieces.end()
    this.#pieces.other(chunk.subarray(at - 1, at))
    return at
  }
}

/** The unquoted name; undefined if it is invalid, which `JSON.parse` will report. */
function nameOf(written: string): string | undefined {
  if (!written.includes('\\')) return written
  try {
    return JSON.parse(`"${written}"`) as string
  } catch {
    return undefined // a broken escape
  }
}

const CUT_ESCAPE = /\\(?:u[0-9a-fA-F]{0,3})?$/

/** The end of the text: the first quote after an even number of backslashes. */
function closingQuote(text: string): number {
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return at
  }
  return -1
}

const SPACE_OR_ESCAPE = / |\\(?:u00([0-7][0-9a-fA-F])|(.))/g

const escapes: Readonly<Record<string, string>> = { n: '', r: '', t: '', '/': '/' }

/** Without white space and escapes; an invalid escape stays, and is refused as base64. */
function plain(piece: string): string {
  if (!piece.includes('\\') && !piece.includes(' ')) return piece
  return piece.replace(SPACE_OR_ESCAPE, (found, code: string | undefined, letter: string | undefined) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16)).replace(/[ \t\r\n]/, '')
    return letter === undefined ? '' : (escapes[letter] ?? found)
  })
}
