import { createHash } from 'node:crypto'
import type { ByteBudget } from '@chancela/service-kernel/concurrency'
import { refuse } from '../../rules/refuse.ts'

export interface DocumentLimits {
  readonly maxBytes: number
  /** Room in memory for the documents of all requests. */
  readonly room: ByteBudget
  /** What the request says of its own length. */
  readonly declaredBytes: number | undefined
}

/** How far into a file its mark may stand: writers put other things before it, and readers accept that. */
const HEADER_WITHIN = 1024

/** A document as it came: in pieces, which are sent on as they are. */
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

  /** Takes a piece in; refuses what is too large, and what there is no room for. */
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

  /** In hexadecimal; asked for once, when all of it is there. */
  sha256(): string {
    return this.#hash.digest('hex')
  }

  /** Lets go of the bytes: they were sent on, or nobody will. */
  release(): void {
    if (this.#chunks.length > 0) this.#limits.room.give(this.#bytes)
    this.#chunks = []
  }

  #look(chunk: Buffer): void {
    this.#begin += chunk.toString('latin1', 0, HEADER_WITHIN - this.#bytes)
    this.#isPdf = this.#begin.includes('%PDF-')
  }
}
