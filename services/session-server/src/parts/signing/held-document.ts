import { createHash } from 'node:crypto'
import type { ByteBudget } from '@chancela/service-kernel/concurrency'
import { refuse } from '../../rules/refuse.ts'

export interface DocumentLimits {
  readonly maxBytes: number
  /** Memory budget for the documents of all requests. */
  readonly room: ByteBudget
  /** The Content-Length of the request. */
  readonly declaredBytes: number | undefined
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

  /** Adds a chunk; refuses when the document is too large, or the memory budget is exhausted. */
  add(chunk: Buffer): void {
    const { maxBytes: limitBytes, room, declaredBytes } = this.#limits
    const bytes = this.#bytes + chunk.length
    if (bytes > limitBytes) throw refuse('DOCUMENT_TOO_LARGE', { sizeBytes: declaredBytes ?? bytes, limitBytes })
    if (!room.tryTake(chunk.length)) throw refuse('SERVER_BUSY')
    if (this.#bytes < HEADER_WITHIN) this.#look(chunk)
    this.#bytes = bytes
    this.#hash.update(chunk)
    this.#chunks.push(chunk)
  }

  /** In hexadecimal; call it once, after the last chunk. */
  sha256(): string {
    return this.#hash.digest('hex')
  }

  /** Releases the bytes after they were sent on, or when they are not needed. */
  release(): void {
    if (this.#chunks.length > 0) this.#limits.room.give(this.#bytes)
    this.#chunks = []
  }

  #look(chunk: Buffer): void {
    this.#begin += chunk.toString('latin1', 0, HEADER_WITHIN - this.#bytes)
    this.#isPdf = this.#begin.includes('%PDF-')
  }
}
