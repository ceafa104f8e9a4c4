import { createHash } from 'node:crypto'
import { type BlobSource, BlobTooLarge, type PutOptions, type StoredBlob } from './blob-store.ts'

/** Incoming bytes: hashed while they are read, the first ones buffered. */
export interface Intake {
  /** The bytes read so far. */
  readonly head: readonly Uint8Array[]
  /** The remaining bytes; undefined when the head is complete. */
  readonly rest: AsyncIterable<Uint8Array> | undefined
  /** Digest and size of all bytes; call it after the rest was read. */
  stored(): StoredBlob
}

/** Bytes of a long array that are hashed and written per slice, so that the event loop serves others in between. */
const SLICE = 1024 * 1024

/** Reads up to `headBytes` and one piece more, so that small sources are complete and can be written at once. */
export async function takeIn(source: BlobSource, headBytes: number, options: PutOptions = {}): Promise<Intake> {
  if (source instanceof Uint8Array && source.length <= headBytes) return whole(source, options)
  const gauge = new Gauge(options.maxBytes)
  const stored = () => gauge.stored()
  const pieces = measured(source instanceof Uint8Array ? slices(source) : source, gauge)
  const head: Uint8Array[] = []
  for (let length = 0; length <= headBytes; ) {
    const { value, done } = await pieces.next()
    if (done) return { head, rest: undefined, stored }
    head.push(value)
    length += value.length
  }
  return { head, rest: pieces, stored }
}

/** Bytes already in memory. MD5 is computed on demand: for signed files nobody needs it. */
function whole(bytes: Uint8Array, { maxBytes }: PutOptions): Intake {
  const size = bytes.length
  if (maxBytes !== undefined && size > maxBytes) throw new BlobTooLarge(maxBytes)
  const digest = createHash('sha256').update(bytes).digest('hex')
  const md5 = () => createHash('md5').update(bytes).digest('hex')
  const stored = () => ({
    digest,
    size,
    get md5() {
      return md5()
    },
  })
  return { head: [bytes], rest: undefined, stored }
}

function* slices(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += SLICE) yield bytes.subarray(at, at + SLICE)
}

/** The head, then the rest. */
export async function* allPieces({ head, rest }: Intake): AsyncGenerator<Uint8Array, void, undefined> {
  yield* head
  if (rest) yield* rest
}

async function* measured(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  gauge: Gauge,
): AsyncGenerator<Uint8Array, undefined, undefined> {
  for await (const piece of source) {
    if (piece.length === 0) continue
    gauge.take(piece)
    yield piece
  }
}

class Gauge {
  readonly #maxBytes: number | undefined
  readonly #sha256 = createHash('sha256')
  readonly #md5 = createHash('md5')
  #size = 0

  constructor(maxBytes: number | undefined) {
    this.#maxBytes = maxBytes
  }

  take(piece: Uint8Array): void {
    this.#size += piece.length
    if (this.#maxBytes !== undefined && this.#size > this.#maxBytes) throw new BlobTooLarge(this.#maxBytes)
    this.#sha256.update(piece)
    this.#md5.update(piece)
  }

  stored(): StoredBlob {
    return { digest: this.#sha256.digest('hex'), size: this.#size, md5: this.#md5.digest('hex') }
  }
}
