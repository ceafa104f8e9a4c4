/** First and last column of a field, 1-based and inclusive, as every CNAB manual prints them. */
export type Columns = readonly [first: number, last: number]

/** Bytes in every record; the unit is bytes, not characters. */
export const RECORD_BYTES = 240

const ZERO = 0x30
const NINE = 0x39
const CONTROL_CHARACTERS = /\p{Cc}/gu

/**
 * Reads fields of one record at a time straight from the file's bytes: a file of a million records costs one cursor,
 * not a million strings.
 */
export class RecordCursor {
  readonly #bytes: Buffer
  #start = 0
  /** 1-based number of the record under the cursor. */
  number = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  moveTo(start: number, number: number): void {
    this.#start = start
    this.number = number
  }

  /** The field exactly as written, Latin-1. */
  raw([first, last]: Columns): string {
    return this.#bytes.latin1Slice(this.#start + first - 1, this.#start + last)
  }

  /** The field for people: trimmed, and with control characters as spaces so that a name cannot drive a terminal. */
  text(columns: Columns): string {
    return this.raw(columns).replace(CONTROL_CHARACTERS, ' ').trim()
  }

  /** The field's text, or null when it is blank. */
  textOrNull(columns: Columns): string | null {
    return this.text(columns) || null
  }

  /** The field's number when every byte is an ASCII digit; fields of up to 15 digits fit a safe integer. */
  digits([first, last]: Columns): number | null {
    let value = 0
    for (let at = this.#start + first - 1; at < this.#start + last; at++) {
      const byte = this.#bytes[at]!
      if (byte < ZERO || byte > NINE) return null
      value = value * 10 + byte - ZERO
    }
    return value
  }

  /** The field's text when it is filled with something other than zeros. */
  filled(columns: Columns): string | null {
    const text = this.text(columns)
    return /^0*$/.test(text) ? null : text
  }
}

/** `18-23`, or `143` for a single column: how a finding names where it looked. */
export const columnsText = ([first, last]: Columns): string => (first === last ? `${first}` : `${first}-${last}`)
