import { refusePdf } from '../errors.ts'
import { limits } from '../limits.ts'
import { streamHead, writeObject } from '../object-writer.ts'
import {
  isArray,
  isDict,
  isRef,
  isStream,
  nameOf,
  type PdfDict,
  type PdfObject,
  type PdfRef,
  type PdfStream,
  ref,
} from '../pdf-object.ts'
import type { FoundObjects } from './found-objects.ts'

/** Entries of a trailer that belong to the document, not to its cross-reference. */
const DOCUMENT_KEYS = ['Root', 'Info', 'ID'] as const

/** A file of the objects that can be reached from a trailer, under their own numbers. */
export class RewrittenFile {
  /** Numbers that are referred to and were not found. */
  readonly lost = new Set<number>()
  private readonly found: FoundObjects
  private readonly trailer: PdfDict
  private readonly kept = new Map<number, PdfObject>()

  constructor(found: FoundObjects, trailer: PdfDict) {
    this.found = found
    this.trailer = new Map(
      DOCUMENT_KEYS.flatMap((key) => (trailer.has(key) ? [[key, trailer.get(key)!] as const] : [])),
    )
    for (const value of this.trailer.values()) this.reach(value)
    this.mendPages(this.catalog().get('Pages') ?? null, new Set())
  }

  bytes(version: string): Buffer {
    const pieces: Buffer[] = [Buffer.from(`%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`, 'latin1')]
    let length = pieces[0]!.length
    const offsets = new Map<number, number>()
    for (const [num, value] of [...this.kept].sort(([a], [b]) => a - b)) {
      offsets.set(num, length)
      for (const piece of objectPieces(num, value)) {
        pieces.push(piece)
        length += piece.length
      }
    }
    const size = Math.max(0, ...offsets.keys()) + 1
    const trailer = writeObject(new Map([...this.trailer, ['Size', size]]))
    const tail = `${tableOf(offsets, size)}trailer\n${trailer}\nstartxref\n${length}\n%%EOF\n`
    return Buffer.concat([...pieces, Buffer.from(tail, 'latin1')])
  }

  private catalog(): PdfDict {
    const catalog = this.found.resolve(this.trailer.get('Root'))
    if (!isDict(catalog)) throw refusePdf('pdf.beyond-repair', { reason: 'its catalog was not found' })
    return catalog
  }

  private reach(start: PdfObject): void {
    const queue: PdfObject[] = [start]
    for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
      if (isArray(value)) queue.push(...value)
      else if (isDict(value)) queue.push(...value.values())
      else if (isStream(value)) queue.push(value.dict)
      else if (isRef(value)) queue.push(...this.keep(value))
    }
  }

  /** The object that a reference met for the first time leads to. */
  private keep({ num }: PdfRef): PdfObject[] {
    if (this.kept.has(num)) return []
    if (!this.found.has(num)) {
      this.lost.add(num)
      return []
    }
    const value = withoutLength(this.found.resolve(ref(num)))
    this.kept.set(num, value)
    return [value]
  }

  /** Leaves out of the page tree what was not found, and counts again. */
  private mendPages(node: PdfObject, above: Set<number>): number {
    const dict = isRef(node) ? this.kept.get(node.num) : undefined
    if (!isRef(node) || !isDict(dict) || above.has(node.num) || above.size > limits.treeDepth) return 0
    const kids = this.found.resolve(dict.get('Kids'))
    if (!isArray(kids)) return nameOf(dict.get('Type')) === 'Pages' ? 0 : 1
    const counted = kids.map((kid) => ({ kid, count: this.mendPages(kid, new Set([...above, node.num])) }))
    const count = counted.reduce((sum, one) => sum + one.count, 0)
    const there = counted.filter((one) => one.count > 0).map(({ kid }) => kid)
    this.kept.set(node.num, new Map<string, PdfObject>([...dict, ['Kids', there], ['Count', count]]))
    return count
  }
}

/** What was an object of its own only to say a length is not needed any more. */
function withoutLength(value: PdfObject): PdfObject {
  if (!isStream(value)) return value
  return { ...value, dict: new Map([...value.dict].filter(([key]) => key !== 'Length')) }
}

function objectPieces(num: number, value: PdfObject): Buffer[] {
  const text = (words: string) => Buffer.from(words, 'latin1')
  if (!isStream(value))
    return [text(`${num} 0 obj\n${writeObject(zeroed(value) as Exclude<PdfObject, PdfStream>)}\nendobj\n`)]
  const head = streamHead({ ...value, dict: zeroed(value.dict) as PdfDict })
  return [text(`${num} 0 obj\n${head}`), Buffer.from(value.raw), text('\nendstream\nendobj\n')]
}

/** Every object is written in generation 0, and so is every reference to it. */
function zeroed(value: PdfObject): PdfObject {
  if (isRef(value)) return ref(value.num)
  if (isArray(value)) return value.map(zeroed)
  return isDict(value) ? new Map([...value].map(([key, element]) => [key, zeroed(element)])) : value
}

function tableOf(offsets: ReadonlyMap<number, number>, size: number): string {
  const free = Array.from({ length: size }, (_, num) => num).filter((num) => !offsets.has(num))
  const rows = Array.from({ length: size }, (_, num) => {
    const offset = offsets.get(num)
    if (offset !== undefined) return `${String(offset).padStart(10, '0')} 00000 n \n`
    const next = free[free.indexOf(num) + 1] ?? 0
    return `${String(next).padStart(10, '0')} ${num === 0 ? '65535' : '00000'} f \n`
  })
  return `xref\n0 ${size}\n${rows.join('')}`
}
