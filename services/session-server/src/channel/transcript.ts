import { createHash } from 'node:crypto'

/** All messages so far as one hash: a signature over it covers the whole conversation. */
export class Transcript {
  #hash: Buffer

  constructor(protocol: string) {
    this.#hash = createHash('sha256').update(protocol).digest()
  }

  /** Adds a message. Lengths are hashed too, so that no two conversations have the same hash. */
  add(...parts: readonly (string | Uint8Array)[]): this {
    const hash = createHash('sha256').update(this.#hash)
    for (const part of parts) {
      const bytes = typeof part === 'string' ? Buffer.from(part) : part
      const length = Buffer.alloc(4)
      length.writeUInt32BE(bytes.length)
      hash.update(length).update(bytes)
    }
    this.#hash = hash.digest()
    return this
  }

  /** What is signed for a role at this point. */
  of(role: string): Buffer {
    return Buffer.concat([this.#hash, Buffer.from(role)])
  }

  get hash(): Buffer {
    return this.#hash
  }
}
