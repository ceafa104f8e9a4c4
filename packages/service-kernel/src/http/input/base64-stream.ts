/** Thrown for text that is not base64. */
export class NoBase64 extends Error {
  override readonly name = 'NoBase64'
}

const PADDING = /^={1,2}$/

/** Decodes base64 as a stream: each piece is decoded and passed on, and at most three characters wait for the next. */
export class Base64Stream {
  readonly #take: (bytes: Buffer) => void
  #rest = ''
  #isOver = false

  constructor(take: (bytes: Buffer) => void) {
    this.#take = take
  }

  push(piece: string): void {
    const text = this.#rest + piece
    const whole = text.length - (text.length % 4)
    if (whole > 0) this.#decode(whole === text.length ? text : text.slice(0, whole))
    this.#rest = text.slice(whole)
    if (this.#isOver && this.#rest !== '') throw new NoBase64('Something follows the padding.')
  }

  /** Padding may be missing: some encoders omit it. */
  end(): void {
    if (this.#rest.length === 1 || this.#rest.includes('=')) throw new NoBase64('The text ends inside a byte.')
    if (this.#rest.length > 0) this.#decode(this.#rest)
  }

  /** The decoder skips invalid characters: the length shows whether it did. */
  #decode(text: string): void {
    if (this.#isOver) throw new NoBase64('Something follows the padding.')
    const end = text.indexOf('=')
    const length = end < 0 ? text.length : end
    if (end >= 0 && !PADDING.test(text.slice(end))) throw new NoBase64('Padding stands where it may not.')
    const bytes = Buffer.from(text, 'base64')
    if (bytes.length !== Math.floor((length * 3) / 4)) throw new NoBase64('A character is not base64.')
    this.#isOver = end >= 0
    this.#take(bytes)
  }
}
