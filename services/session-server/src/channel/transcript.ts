import { createHash } from 'node:crypto'

/** Everything that was said so far, as one hash: whoever signs it signs the whole conversation. */
export class Transcript {
  #hash: Buffer

  constructor(protocol: string) {
    this.#hash = createHash('sha256').update(protocol).digest()
  }

  /** Takes in one more thing that was said. Lengths are hashed too, so that no two conversations read the same. */
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
