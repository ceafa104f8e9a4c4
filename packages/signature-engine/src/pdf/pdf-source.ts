import type { Hash } from 'node:crypto'
import { readSync } from 'node:fs'
import { requireArguments } from '../errors/arguments.ts'
import { asBuffer } from './object-parser.ts'

/** The bytes of a PDF, of which only those are read that are asked for. */
export interface PdfSource {
  readonly length: number
  /** The bytes between two positions; a reader never asks for any beyond the end. */
  read(start: number, end: number): Buffer
}

/** A PDF in memory, or wherever its bytes are. */
export type PdfInput = Uint8Array | PdfSource

/** Bytes that are hashed, copied or searched at once. */
const CHUNK = 1024 * 1024

export const sourceOf = (input: PdfInput): PdfSource => (input instanceof Uint8Array ? new MemorySource(input) : input)

/** A PDF that is in memory as a whole. */
export class MemorySource implements PdfSource {
  readonly bytes: Buffer

  constructor(bytes: Uint8Array) {
    this.bytes = asBuffer(bytes)
  }

  get length(): number {
    return this.bytes.length
  }

  read(start: number, end: number): Buffer {
    return this.bytes.subarray(start, end)
  }
}

/** An open file; `file` may be a FileHandle. Whoever opened it closes it, and nobody may write to it in between. */
export function fileSource(file: number | { readonly fd: number }, length: number): PdfSource {
  requireArguments('fileSource', { file: [file, 'open file'], length: [length, 'number'] })
  const descriptor = typeof file === 'number' ? file : file.fd
  return {
    length,
    read: (start, end) => {
      const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(end, length) - start))
      let at = 0
      while (at < buffer.length) {
        const count = readSync(descriptor, buffer, at, buffer.length - at, start + at)
        if (count === 0) break
        at += count
      }
      return buffer.subarray(0, at)
    },
  }
}

/** Bytes written over a source, or behind its end. */
interface Layer {
  readonly at: number
  readonly bytes: Buffer
}

/** A source with some bytes changed and others appended: what is to be written of it is in `layers`. */
export class ChangedSource implements PdfSource {
  readonly base: PdfSource
  readonly layers: readonly Layer[]
  readonly length: number

  constructor(source: PdfSource, at: number, bytes: Uint8Array) {
    const [base, below] = source instanceof ChangedSource ? [source.base, source.layers] : [source, []]
    this.base = base
    this.layers = [...below, { at, bytes: asBuffer(bytes) }]
    this.length = Math.max(source.length, at + bytes.length)
  }

  read(start: number, end: number): Buffer {
    const until = Math.min(end, this.length)
    const out = Buffer.alloc(Math.max(0, until - start))
    if (start < this.base.length) out.set(this.base.read(start, Math.min(until, this.base.length)))
    for (const { at, bytes } of this.layers) {
      const [from, to] = [Math.max(start, at), Math.min(until, at + bytes.length)]
      if (from < to) out.set(bytes.subarray(from - at, to - at), from - start)
    }
    return out
  }
}

/** All bytes of a source, in memory. */
export const bytesOf = (source: PdfSource): Buffer => source.read(0, source.length)

/** A source with bytes behind its end. */
export const appendedTo = (source: PdfSource, bytes: Uint8Array): PdfSource =>
  source instanceof MemorySource
    ? new MemorySource(Buffer.concat([source.bytes, bytes]))
    : new ChangedSource(source, source.length, bytes)

/** A source with other bytes at a position. */
export function patched(source: PdfSource, at: number, bytes: Uint8Array): PdfSource {
  if (!(source instanceof MemorySource)) return new ChangedSource(source, at, bytes)
  const copy = Buffer.from(source.bytes)
  copy.set(bytes, at)
  return new MemorySource(copy)
}

/** The bytes between two positions, piece by piece; of a source in memory all at once. */
export function* pieces(source: PdfSource, start: number, end: number): Iterable<Buffer> {
  if (source instanceof MemorySource) yield source.bytes.subarray(start, end)
  else for (let at = start; at < end; at += CHUNK) yield source.read(at, Math.min(end, at + CHUNK))
}

export function hashed(hash: Hash, source: PdfSource, start: number, end: number): Hash {
  for (const piece of pieces(source, start, end)) hash.update(piece)
  return hash
}
