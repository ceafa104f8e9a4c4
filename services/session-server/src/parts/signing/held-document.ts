import { createHash } from 'node:crypto'
import type { ByteBudget } from '@chancela/service-kernel/concurrency'
import type { Refusal } from '@chancela/service-kernel/errors'
import { refuse } from '../../rules/refuse.ts'

export interface DocumentLimits {
  readonly maxBytes: number
  /** Memory budget for the documents of all requests. */
  readonly room: ByteBudget
}

/** Where the `%PDF-` header may start: writers put other data before it, and readers accept that. */
const HEADER_WITHIN = 1024

/** A received document, in chunks that are sent on unchanged. */
export class HeldDocument {
  fileName: string
  readonly #limits: DocumentLimits
  readonly #hash = createHash('sha256')
  #chunks: Uint8Array[] = []
  #bytes = 0
  #heldBytes = 0
  #isPdf = false
  #begin = ''

  constructor(fileName: string, limits: DocumentLimits) {
    this.fileName = fileName
    this.#limits = limits
  }

  get bytes(): number {
    return this.#bytes
  }

  get chunks(): readonly Uint8Array[] {
    return this.#chunks
  }

  get isPdf(): boolean {
    return this.#isPdf
  }

  /** Adds a chunk; refuses when the memory budget is exhausted. Of one that is too large the bytes are only counted. */
  add(chunk: Buffer): void {
    if (this.#bytes < HEADER_WITHIN) this.#look(chunk)
    this.#bytes += chunk.length
    if (this.#bytes > this.#limits.maxBytes) this.release()
    else this.#hold(chunk)
  }

  #hold(chunk: Buffer): void {
    if (!this.#limits.room.tryTake(chunk.length)) throw refuse('SERVER_BUSY')
    this.#heldBytes += chunk.length
    this.#hash.update(chunk)
    this.#chunks.push(chunk)
  }

  /** Why it is not taken: after its last chunk, when its size is known. */
  get excess(): Refusal | undefined {
    const { maxBytes: limitBytes } = this.#limits
    return this.#bytes > limitBytes ? refuse('DOCUMENT_TOO_LARGE', { sizeBytes: this.#bytes, limitBytes }) : undefined
  }

  /** In hexadecimal; call it once, after the last chunk. */
  sha256(): string {
    return this.#hash.digest('hex')
  }

  /** Releases the bytes after they were sent on, or when they are not needed. */
  release(): void {
    this.#limits.room.give(this.#heldBytes)
    this.#heldBytes = 0
    this.#chunks = []
  }

  #look(chunk: Buffer): void {
    this.#begin += chunk.toString('latin1', 0, HEADER_WITHIN - this.#bytes)
    this.#isPdf = this.#begin.includes('%PDF-')
  }
}
