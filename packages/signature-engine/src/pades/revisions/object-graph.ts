import { EngineError } from '../../errors/engine-error.ts'
import type { PdfView } from '../../pdf/pdf-file.ts'
import { isArray, isDict, isRef, isStream, type PdfObject } from '../../pdf/pdf-object.ts'
import { MemorySource, type PdfSource } from '../../pdf/pdf-source.ts'
import { scanReferences } from './reference-scanner.ts'
import type { WorkLimit } from './work-limit.ts'

/** The number used for the trailer, which has none. */
export const TRAILER = 0

/** One reference: the containing object, and the nearest dictionary key. */
export interface Referrer {
  readonly from: number
  readonly key: string
}

/**
 * Which object refers to which, from the trailer on. It answers two questions that the changed objects alone cannot:
 * where else an overwritten object is shown, and whether signed objects refer to a number that gets its first object
 * now.
 */
export class ObjectGraph {
  private readonly referrers = new Map<number, Referrer[]>()
  private readonly visited = new Set<number>()
  private readonly source: PdfSource
  private readonly limit: WorkLimit

  /** The file, and the view whose trailer the walk begins at. */
  constructor(source: PdfSource, view: PdfView, limit: WorkLimit) {
    this.source = source
    this.limit = limit
    // What /Encrypt says decides how everything else is read.
    for (const key of ['Root', 'Info', 'Encrypt']) this.note(view.trailer.get(key) ?? null, TRAILER, key, [])
    this.extend(view, this.referrers.keys())
  }

  /** Every place that refers to an object; none when it cannot be reached. */
  referrersOf(num: number): readonly Referrer[] {
    return this.referrers.get(num) ?? []
  }

  isReachable(num: number): boolean {
    return this.referrers.has(num)
  }

  /** Reads these objects (again) in a view, and whatever they lead to for the first time. */
  extend(view: PdfView, numbers: Iterable<number>): void {
    const queue = [...numbers]
    for (const num of queue) this.visited.add(num)
    for (let num = queue.pop(); num !== undefined; num = queue.pop()) {
      this.limit.spend()
      this.visit(view, num, queue)
    }
  }

  private visit(view: PdfView, num: number, queue: number[]): void {
    const entry = view.entry(num)
    if (entry?.kind === 'compressed') this.note(readable(view, num), num, '', queue)
    if (entry?.kind !== 'offset') return
    const end = referencesAt(this.source, entry.offset, (target, key) => this.link(target, num, key, queue))
    // Objects may overlap, so that the same bytes are scanned repeatedly.
    this.limit.spend((end - entry.offset) >> 6)
  }

  private note(value: PdfObject, from: number, key: string, queue: number[]): void {
    if (isRef(value)) this.link(value.num, from, key, queue)
    else if (isArray(value)) for (const element of value) this.note(element, from, key, queue)
    else if (isDict(value)) for (const [own, element] of value) this.note(element, from, own, queue)
    else if (isStream(value)) this.note(value.dict, from, key, queue)
  }

  private link(num: number, from: number, key: string, queue: number[]): void {
    const known = this.referrers.get(num)
    if (known) known.push({ from, key })
    else this.referrers.set(num, [{ from, key }])
    if (this.visited.has(num)) return
    this.visited.add(num)
    queue.push(num)
  }
}

/** Bytes of a file in which references are looked for first, and at most. */
const FIRST = 16 * 1024
const MOST = 64 * 1024 * 1024

/** Reports the references of the object at an offset, and returns where it ends. */
function referencesAt(source: PdfSource, offset: number, found: (num: number, key: string) => void): number {
  if (source instanceof MemorySource) return scanReferences(source.bytes, offset, found)
  for (let size = FIRST; ; size *= 8) {
    const bytes = source.read(offset, Math.min(source.length, offset + size))
    const links: [number, string][] = []
    const end = scanReferences(bytes, 0, (num, key) => links.push([num, key]))
    if (end < bytes.length - KEYWORD || offset + size >= source.length || size >= MOST) {
      for (const [num, key] of links) found(num, key)
      return offset + end
    }
  }
}

/** A word so close to the end of the bytes may go on behind them. */
const KEYWORD = 16

/** The object of a number, whatever its generation. */
export function objectOf(view: PdfView, num: number): PdfObject {
  const entry = view.entry(num)
  return view.object({ kind: 'ref', num, gen: entry?.kind === 'offset' ? entry.gen : 0 })
}

function readable(view: PdfView, num: number): PdfObject {
  try {
    return objectOf(view, num)
  } catch (error) {
    // An object that cannot be parsed is not shown and leads nowhere. A bomb still ends the walk.
    if (error instanceof EngineError && error.code !== 'pdf.too-complex') return null
    throw error
  }
}
