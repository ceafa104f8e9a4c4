/** Receives the canonical form piece by piece. A piece is valid only during the call. */
export type CanonicalSink = (chunk: Uint8Array) => void

const CAPACITY = 16 * 1024
/** Slices of the input from this size on go to the sink as they are; smaller ones are gathered, to save calls. */
const DIRECT = 4 * 1024

/** Up to this size a loop copies faster than the call into native code, which costs 0.2 µs whatever the size. */
const BYTEWISE = 48

// One buffer serves one canonicalisation after the other: a fresh one each time costs more, in collection, than the work.
let spare: Buffer | undefined

/** Gathers small pieces and hands large slices of the input through without copying them. */
export class CanonicalWriter {
  readonly #input: Buffer
  readonly #sink: CanonicalSink
  #buffer: Buffer | undefined
  #used = 0

  constructor(input: Uint8Array, sink: CanonicalSink) {
    this.#input = Buffer.from(input.buffer, input.byteOffset, input.length)
    this.#sink = sink
  }

  /** Writes bytes of the document unchanged. */
  slice(start: number, end: number): void {
    const length = end - start
    if (length <= 0) return
    if (length >= DIRECT) {
      this.flush()
      this.#sink(this.#input.subarray(start, end))
      return
    }
    const buffer = this.#room(length)
    if (length > BYTEWISE) this.#input.copy(buffer, this.#used, start, end)
    else {
      const input = this.#input
      for (let from = start, to = this.#used; from < end; from++, to++) buffer[to] = input[from]!
    }
    this.#used += length
  }

  /** Writes a few bytes that are no part of the document. */
  bytes(bytes: Uint8Array): void {
    const length = bytes.length
    if (length > CAPACITY) {
      this.flush()
      this.#sink(bytes)
      return
    }
    const buffer = this.#room(length)
    for (let at = 0; at < length; at++) buffer[this.#used + at] = bytes[at]!
    this.#used += length
  }

  text(text: string): void {
    if (text.length * 3 > CAPACITY) {
      this.flush()
      this.#sink(Buffer.from(text, 'utf8'))
      return
    }
    const buffer = this.#room(text.length * 3)
    this.#used += buffer.write(text, this.#used, 'utf8')
  }

  /** Hands over what is left. The writer is not used any more. */
  end(): void {
    this.flush()
    spare ??= this.#buffer
    this.#buffer = undefined
  }

  flush(): void {
    if (this.#buffer !== undefined && this.#used > 0) this.#sink(this.#buffer.subarray(0, this.#used))
    this.#used = 0
  }

  #room(length: number): Buffer {
    if (this.#buffer === undefined) {
      this.#buffer = spare ?? Buffer.allocUnsafeSlow(CAPACITY)
      spare = undefined
    }
    if (this.#used + length > CAPACITY) this.flush()
    return this.#buffer
  }
}
