import { fromBer } from '../der/from-ber.ts'
import { EngineError } from '../errors/engine-error.ts'
import { malformed, refuseEnvelope } from './errors.ts'

interface BerHeader {
  /** Tag and length in their original bytes. */
  readonly bytes: Buffer
  readonly tag: number
  /** Undefined: indefinite, the content ends in two zero bytes. */
  readonly length: number | undefined
}

/** The end of an entered structure. */
interface Level {
  /** Offset after it; undefined: after its two zero bytes. */
  readonly end: number | undefined
}

const MAX_VALUE_BYTES = 1024 * 1024
const MAX_DEPTH = 32

/** Reads BER sequentially from a stream, however it is chunked; large strings pass through in pieces. */
export class BerStream {
  readonly #source: AsyncIterator<Uint8Array>
  readonly #levels: Level[] = []
  #held: Buffer = Buffer.alloc(0)
  #offset = 0

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Enters a structure of this tag. */
  async enter(tag: number): Promise<void> {
    const { length } = await this.#header(tag)
    this.#levels.push({ end: length === undefined ? undefined : this.#inside(length) })
  }

  /** Leaves the structure; it must end here. */
  async leave(): Promise<void> {
    const { end } = this.#levels.at(-1)!
    if (end === undefined) {
      const marker = await this.#take(2)
      if (marker[0] !== 0 || marker[1] !== 0) throw malformed('a structure has more members than it should')
    } else if (this.#offset !== end) throw malformed('a structure has another length than it says')
    this.#levels.pop()
  }

  /** The tag of the next member; undefined when the structure is at its end. */
  async nextTag(): Promise<number | undefined> {
    const end = this.#levels.at(-1)?.end
    if (end !== undefined && this.#offset >= end) return undefined
    const [tag] = await this.#peek(2)
    return tag === 0 && end === undefined ? undefined : tag
  }

  /** A whole value as DER. Small ones only: what is large goes through `pieces`. */
  async value(tag: number): Promise<Buffer> {
    const raw = Buffer.concat(await this.#whole(tag, 0, { left: MAX_VALUE_BYTES }))
    try {
      return Buffer.from(fromBer(raw))
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      throw malformed(error.message, error)
    }
  }

  /** The content of an implicitly tagged OCTET STRING, in one piece or in many (X.690 §8.7.3). */
  async *pieces(primitiveTag: number): AsyncGenerator<Buffer> {
    const tag = await this.nextTag()
    if (tag === primitiveTag) {
      const { length } = await this.#header(tag)
      if (length === undefined) throw malformed('a primitive value without length')
      return yield* this.#through(length)
    }
    await this.enter(primitiveTag | 0x20)
    while ((await this.nextTag()) !== undefined) {
      const { length } = await this.#header(0x04)
      if (length === undefined) throw malformed('a primitive value without length')
      yield* this.#through(length)
    }
    await this.leave()
  }

  /** Nothing may follow. */
  async end(): Promise<void> {
    if (this.#held.length > 0 || (await this.#chunk())) throw malformed('bytes follow the envelope')
  }

  /** Releases the source, wherever reading stopped. */
  async release(): Promise<void> {
    await this.#source.return?.()
  }

  async *#through(length: number): AsyncGenerator<Buffer> {
    const end = this.#inside(length)
    while (this.#offset < end) {
      if (this.#held.length === 0) await this.#peek(1)
      yield this.#drop(Math.min(this.#held.length, end - this.#offset))
    }
  }

  /** Header and content of a value, members of indefinite ones included. */
  async #whole(tag: number | undefined, depth: number, budget: { left: number }): Promise<Buffer[]> {
    if (depth > MAX_DEPTH) throw malformed('values nested without end')
    const { bytes, length, tag: found } = await this.#header(tag)
    budget.left -= bytes.length + (length ?? 0)
    if (budget.left < 0) throw malformed('a value larger than any honest one')
    if (length !== undefined) {
      this.#inside(length)
      return [bytes, await this.#take(length)]
    }
    if ((found & 0x20) === 0) throw malformed('a primitive value without length')
    const parts = [bytes]
    for (let next = await this.#peek(2); next[0] !== 0 || next[1] !== 0; next = await this.#peek(2)) {
      parts.push(...(await this.#whole(undefined, depth + 1, budget)))
    }
    parts.push(await this.#take(2))
    return parts
  }

  async #header(expected: number | undefined): Promise<BerHeader> {
    const [tag, first] = await this.#peek(2)
    if (expected !== undefined && tag !== expected) throw malformed(`the tag ${tag} where ${expected} is due`)
    if ((tag! & 0x1f) === 0x1f) throw malformed('a tag this engine does not read')
    const lengthBytes = first! > 0x80 ? first! & 0x7f : 0
    if (lengthBytes > 6) throw malformed('a length beyond all files')
    const bytes = await this.#take(2 + lengthBytes)
    if (first === 0x80) return { tag: tag!, length: undefined, bytes }
    return { tag: tag!, length: lengthBytes === 0 ? first! : bytes.readUIntBE(2, lengthBytes), bytes }
  }

  /** The offset after so many bytes, which must be inside all enclosing structures. */
  #inside(length: number): number {
    const end = this.#offset + length
    for (const level of this.#levels) {
      if (level.end !== undefined && end > level.end) throw malformed('a value reaches beyond its structure')
    }
    return end
  }

  async #peek(count: number): Promise<Buffer> {
    if (this.#held.length < count) {
      const parts = [this.#held]
      for (let size = this.#held.length; size < count; size += parts.at(-1)!.length) {
        parts.push((await this.#chunk()) ?? refuseTruncated())
      }
      this.#held = parts[0]!.length === 0 && parts.length === 2 ? parts[1]! : Buffer.concat(parts)
    }
    return this.#held.subarray(0, count)
  }

  async #take(count: number): Promise<Buffer> {
    await this.#peek(count)
    return this.#drop(count)
  }

  #drop(count: number): Buffer {
    const bytes = this.#held.subarray(0, count)
    this.#held = this.#held.subarray(count)
    this.#offset += count
    return bytes
  }

  /** The next bytes of the source; undefined at its end. */
  async #chunk(): Promise<Buffer | undefined> {
    for (;;) {
      const { done, value } = await this.#source.next()
      if (done) return undefined
      if (value.length > 0) return Buffer.from(value.buffer, value.byteOffset, value.length)
    }
  }
}

function refuseTruncated(): never {
  throw refuseEnvelope('envelope.truncated')
}
