import { requireArguments } from '../errors/arguments.ts'
import { ambiguous } from './errors.ts'
import { limits, type ReadingLimits } from './limits.ts'
import { streamHead, writeObject } from './object-writer.ts'
import { hiddenNumbers, requirePlainReferences, requireSameWhenRepaired } from './one-reading.ts'
import { type PageNode, pageNodes } from './page-nodes.ts'
import { openPdf, type PdfFile } from './pdf-file.ts'
import {
  isArray,
  isDict,
  isRef,
  isStream,
  name,
  nameOf,
  type PdfDict,
  type PdfObject,
  type PdfRef,
  type PdfStream,
  ref,
} from './pdf-object.ts'

/**
 * The same document, written so that no reader can understand it otherwise: exactly the objects that can be reached from
 * the catalog, each once under a new number, none in an object stream, behind one cross-reference table. Whatever a file
 * hides besides is gone, and so is what its signatures cover: this is for what is drawn from a file, not for the file.
 *
 * Throws what `openPdf` throws, and `pdf.ambiguous` where readers in use would not agree on what the file shows.
 */
export function canonicalPdf(bytes: Uint8Array, within: ReadingLimits = limits): Buffer {
  requireArguments('canonicalPdf', { bytes: [bytes, 'bytes'] })
  const file = openPdf(bytes, within)
  requirePlainReferences(file)
  return new CanonicalWriter(file, pageNodes(file, within.pages)).write()
}

class CanonicalWriter {
  private readonly file: PdfFile
  private readonly pages: ReadonlyMap<number, PageNode>
  private readonly hidden: ReadonlySet<number>
  /** New numbers by old ones, in the order in which they are written. */
  private readonly numbers = new Map<number, number>()
  private readonly queue: PdfRef[] = []
  /** Numbers that are referred to and that the cross-reference does not have. */
  private readonly missing = new Set<number>()
  private readonly pieces: Buffer[] = []
  private readonly offsets: number[] = []
  private text = ''
  private written = 0

  constructor(file: PdfFile, pages: ReadonlyMap<number, PageNode>) {
    this.file = file
    this.pages = pages
    this.hidden = hiddenNumbers(file)
  }

  write(): Buffer {
    const { trailer } = this.file
    const root = trailer.get('Root')
    if (!isRef(root)) throw ambiguous('the catalog is not an indirect object')
    this.add(`%PDF-${this.version()}\n%\xe2\xe3\xcf\xd3\n`)
    const entries = new Map<string, PdfObject>([['Root', this.renumbered(root)]])
    for (const key of ['Info', 'ID']) entries.set(key, this.renumbered(trailer.get(key) ?? null))
    // Writing an object leads to others, which join at the end.
    for (let at = 0; at < this.queue.length; at++) this.addObject(this.queue[at]!, root)
    requireSameWhenRepaired(this.file, this.missing, this.numbers.keys())
    this.addTable(entries)
    this.flush()
    return Buffer.concat(this.pieces)
  }

  private version(): string {
    const version = this.file.version()
    return /^\d\.\d$/.test(version) ? version : '1.7'
  }

  private addObject(from: PdfRef, root: PdfRef): void {
    const value = this.file.object(from)
    // Some readers follow it, some take the reference itself for the value.
    if (isRef(value)) throw ambiguous(`object ${from.num} is nothing but a reference`)
    this.offsets.push(this.written + this.text.length)
    this.add(`${this.numbers.get(from.num)} 0 obj\n`)
    if (isStream(value)) this.addStream(value)
    else this.add(writeObject(this.renumbered(this.settled(from, root, value)) as Exclude<PdfObject, PdfStream>))
    this.add('\nendobj\n')
  }

  /** Says in the catalog and in nodes of the page tree what their places say already. */
  private settled({ num }: PdfRef, root: PdfRef, value: PdfObject): PdfObject {
    if (!isDict(value)) return value
    if (num === root.num) return new Map([...value, ['Type', name('Catalog')]])
    const node = this.pages.get(num)
    if (!node) return value
    const { type, parent, count } = node
    const told = new Map<string, PdfObject>([...value, ['Type', name(type)], ['Parent', parent ?? null]])
    return type === 'Pages' ? told.set('Count', count) : told
  }

  private addStream({ dict, raw }: PdfStream): void {
    this.add(streamHead({ kind: 'stream', dict: this.renumberedDict(this.plainEntries(dict)), raw }))
    this.flush()
    this.pieces.push(Buffer.from(raw.buffer, raw.byteOffset, raw.length))
    this.written += raw.length
    this.add('\nendstream')
  }

  /**
   * Without the length, which is written anew, and without a type that says it holds objects: that is for the
   * cross-reference to say, but readers without one believe any stream.
   */
  private plainEntries(dict: PdfDict): PdfDict {
    const type = nameOf(this.file.resolve(dict.get('Type')))
    const holdsObjects = type === 'ObjStm' || type === 'XRef'
    return new Map([...dict].filter(([key]) => key !== 'Length' && !(holdsObjects && key === 'Type')))
  }

  private renumbered(value: PdfObject): PdfObject {
    if (isRef(value)) return this.reached(value)
    if (isArray(value)) return value.map((element) => this.renumbered(element))
    return isDict(value) ? this.renumberedDict(value) : value
  }

  /** An entry of null is none (ISO 32000-1 §7.3.7). */
  private renumberedDict(dict: PdfDict): PdfDict {
    const entries = new Map<string, PdfObject>()
    for (const [key, value] of dict) {
      const renumbered = this.renumbered(value)
      if (renumbered !== null) entries.set(key, renumbered)
    }
    return entries
  }

  /** The new name of an object, which is then written; null for one that is not there. */
  private reached(from: PdfRef): PdfObject {
    const known = this.numbers.get(from.num)
    if (!this.isThere(from)) return null
    if (known !== undefined) return ref(known)
    const number = this.numbers.size + 1
    this.numbers.set(from.num, number)
    this.queue.push(from)
    return ref(number)
  }

  private isThere({ num, gen }: PdfRef): boolean {
    const entry = this.file.entry(num)
    const isThere = entry?.kind === 'compressed' ? gen === 0 : entry?.kind === 'offset' && entry.gen === gen
    if (!isThere) this.missing.add(num)
    if (this.hidden.has(num)) throw ambiguous(`the table calls object ${num} free, and the stream behind it has it`)
    return isThere
  }

  private addTable(trailer: ReadonlyMap<string, PdfObject>): void {
    const start = this.written + this.text.length
    const size = this.offsets.length + 1
    const rows = this.offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
    const entries = new Map([...trailer, ['Size', size] as const].filter(([, value]) => value !== null))
    this.add(`xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}`)
    this.add(`trailer\n${writeObject(entries)}\nstartxref\n${start}\n%%EOF\n`)
  }

  private add(text: string): void {
    this.text += text
  }

  private flush(): void {
    const bytes = Buffer.from(this.text, 'latin1')
    this.pieces.push(bytes)
    this.written += bytes.length
    this.text = ''
  }
}
