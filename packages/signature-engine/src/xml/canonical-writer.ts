/** Receives the canonical form piece by piece, with a flag for the last one. A piece is valid only during the call. */
export type CanonicalSink = (chunk: Uint8Array, isLast: boolean) => void

const CAPACITY = 32 * 1024
/** Slices of the input from this size on are passed to the sink directly; smaller ones are buffered, to save calls. */
const DIRECT = 4 * 1024
/** Up to this size copying four bytes at a time is faster than a native call, which has a fixed cost. */
const WORDWISE = 256

/** Bytes with the view that reads four of them at a time. */
export interface WordBytes {
  readonly bytes: Buffer
  readonly words: DataView
}

/** The text in UTF-8, to be written repeatedly. */
export function wordBytes(text: string): WordBytes {
  const bytes = Buffer.from(text, 'utf8')
  return { bytes, words: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) }
}

// One buffer is reused by all canonicalisations: a fresh one each time costs more, in collection, than the work.
let spare: WordBytes | undefined

function takeBuffer(): WordBytes {
  const taken = spare
  spare = undefined
  if (taken !== undefined) return taken
  const bytes = Buffer.allocUnsafeSlow(CAPACITY)
  return { bytes, words: new DataView(bytes.buffer) }
}

/** Buffers small pieces and passes large slices of the input through without copying them. */
export class CanonicalWriter {
  readonly #input: WordBytes
  readonly #sink: CanonicalSink
  readonly #output = takeBuffer()
  #used = 0

  constructor(input: WordBytes, sink: CanonicalSink) {
    this.#input = input
    this.#sink = sink
  }

  /** Writes bytes of the document unchanged. */
  slice(start: number, end: number): void {
    if (end - start < DIRECT) this.#copy(this.#input, start, end)
    else {
      this.#flush()
      this.#sink(this.#input.bytes.subarray(start, end), false)
    }
  }

  /** Writes a few bytes that are not part of the document. */
  bytes(piece: WordBytes): void {
    const { length } = piece.bytes
    if (length <= CAPACITY) this.#copy(piece, 0, length)
    else {
      this.#flush()
      this.#sink(piece.bytes, false)
    }
  }

  text(text: string): void {
    if (text.length * 3 > CAPACITY) {
      this.#flush()
      this.#sink(Buffer.from(text, 'utf8'), false)
      return
    }
    if (this.#used + text.length * 3 > CAPACITY) this.#flush()
    this.#used += this.#output.bytes.write(text, this.#used, 'utf8')
  }

  /** Passes on what is left. The writer must not be used afterwards. */
  end(): void {
    this.#sink(this.#output.bytes.subarray(0, this.#used), true)
    spare = this.#output
  }

  #flush(): void {
    if (this.#used > 0) this.#sink(this.#output.bytes.subarray(0, this.#used), false)
    this.#used = 0
  }

  #copy(from: WordBytes, start: number, end: number): void {
    const length = end - start
    if (length <= 0) return
    if (this.#used + length > CAPACITY) this.#flush()
    const used = this.#used
    this.#used = used + length
    if (length > WORDWISE) {
      from.bytes.copy(this.#output.bytes, used, start, end)
      return
    }
    if (length >= 4) {
      const input = from.words
      const output = this.#output.words
      const last = length - 4
      for (let at = 0; at < last; at += 4) output.setInt32(used + at, input.getInt32(start + at, true), true)
      // The last four overlap what is copied already: cheaper than a second loop over the rest.
      output.setInt32(used + last, input.getInt32(start + last, true), true)
      return
    }
    const input = from.bytes
    const output = this.#output.bytes
    for (let at = 0; at < length; at++) output[used + at] = input[start + at]!
  }
}
