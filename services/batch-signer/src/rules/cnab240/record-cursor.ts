/** First and last column of a field, 1-based and inclusive, as every CNAB manual prints them. */
export type Columns = readonly [first: number, last: number]

/** Bytes in every record; the unit is bytes, not characters. */
export const RECORD_BYTES = 240

const ZERO = 0x30
const NINE = 0x39
const SPACE = 0x20

/**
 * Reads the fields of one record at a time. The record is decoded once, as Latin-1, so that a column is a character and
 * a field a cheap slice: a million records cost one cursor.
 */
export class RecordCursor {
  readonly #bytes: Buffer
  #record = ''
  /** 1-based number of the record under the cursor. */
  number = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  moveTo(start: number, number: number): void {
    this.#record = this.#bytes.toString('latin1', start, start + RECORD_BYTES)
    this.number = number
  }

  /** The field exactly as written. */
  raw([first, last]: Columns): string {
    return first === last ? this.#record[first - 1]! : this.#record.slice(first - 1, last)
  }

  /** The field for people: trimmed, and with control characters as spaces so that a name cannot drive a terminal. */
  text(columns: Columns): string {
    const field = this.raw(columns)
    return (hasControlCharacter(field) ? field.replace(/\p{Cc}/gu, ' ') : field).trim()
  }

  /** The field's text, or null when it is blank. */
  textOrNull(columns: Columns): string | null {
    return this.text(columns) || null
  }

  /** The field's number when every character is an ASCII digit; fields of up to 15 digits fit a safe integer. */
  digits([first, last]: Columns): number | null {
    let value = 0
    for (let index = first - 1; index < last; index++) {
      const code = this.#record.charCodeAt(index)
      if (code < ZERO || code > NINE) return null
      value = value * 10 + code - ZERO
    }
    return value
  }

  /** The field's text when it is filled with something other than zeros. */
  filled([first, last]: Columns): string | null {
    for (let index = first - 1; index < last; index++) {
      const code = this.#record.charCodeAt(index)
      if (code !== ZERO && code !== SPACE) return this.text([first, last])
    }
    return null
  }
}

// Called for every text of the file: a loop is several times faster here than the regular expression it guards.
function hasControlCharacter(field: string): boolean {
  for (let index = 0; index < field.length; index++) {
    const code = field.charCodeAt(index)
    if (code < SPACE || (code >= 0x7f && code <= 0x9f)) return true
  }
  return false
}

/** `18-23`, or `143` for a single column: how a finding names where it looked. */
export const columnsText = ([first, last]: Columns): string => (first === last ? `${first}` : `${first}-${last}`)
