import { randomUUID } from 'node:crypto'
import { tooComplex } from './errors.ts'
import { limits } from './limits.ts'
import { ObjectParser } from './object-parser.ts'
import { streamHead, writeEntry, writeObject } from './object-writer.ts'
import type { PdfFile } from './pdf-file.ts'
import {
  hexString,
  isArray,
  isDict,
  isRef,
  isStream,
  isString,
  name,
  type PdfDict,
  type PdfObject,
  type PdfRef,
  type PdfStream,
  ref,
  sameRef,
} from './pdf-object.ts'

/** Trailer entries that belong to one section and must not be copied into the next. */
const SECTION_KEYS = new Set(['Prev', 'XRefStm', 'Size', 'Type', 'W', 'Index', 'Length', 'Filter', 'DecodeParms', 'DL'])

/** What an update appends to the file's bytes. */
export interface FinishedUpdate {
  /** With the digits of a gap as zeros, or left out on request. */
  readonly appended: Buffer
  /** Length of the whole file, gaps included. */
  readonly fileLength: number
  /** Offset in the whole file at which an object's own text begins, after `n g obj` and its line end. */
  bodyOffset(object: PdfRef): number
}

/** PDF text, one character per byte; a number means as many zero digits: the gap of a signature. */
type ObjectText = readonly (string | number)[]

/** An object of the update: text, or a value, or a dictionary of the file with some entries changed. */
interface PendingObject {
  readonly ref: PdfRef
  readonly text: ObjectText | undefined
  readonly value: PdfObject
  /** Entries that replace or follow those of `value`. */
  readonly changes: Map<string, PdfObject> | undefined
}

/**
 * An incremental update (ISO 32000-1 §7.5.6): new and changed objects, then a cross-reference section in the style of
 * the last one, because a table after a stream is invalid for many readers. The bytes before it are never changed.
 *
 * Every signature uses this: text is joined as strings, which cost less than buffers, and written once.
 */
export class IncrementalUpdate {
  private readonly file: PdfFile
  private readonly uuid: string
  private readonly pending = new Map<number, PendingObject>()
  private next: number

  /** `uuid` identifies the version of the document that the update makes; default: a new one. */
  constructor(file: PdfFile, uuid: string = randomUUID()) {
    this.file = file
    this.uuid = uuid
    this.next = file.nextNumber
  }

  /** The number of an object whose content is set later with {@link set} or {@link setText}. */
  reserve(): PdfRef {
    if (this.next > limits.objectNumber) throw tooComplex('an object number is too high')
    return ref(this.next++)
  }

  /** Adds an object. */
  add(value: PdfObject): PdfRef {
    const added = this.reserve()
    this.set(added, value)
    return added
  }

  /** Writes an object, new or in place of the one of that number and generation. */
  set(object: PdfRef, value: PdfObject): void {
    this.pending.set(object.num, { ref: object, text: undefined, value, changes: undefined })
  }

  /**
   * PDF text of a value as it must stand in an object: its strings are encrypted where the file is. What is given to
   * {@link setText} has to have gone through here.
   */
  textFor(object: PdfRef, text: string): string {
    if (!this.file.encryption) return text
    const value = new ObjectParser(Buffer.from(text, 'latin1'), 0, false).value()
    return writeObject(this.stored(object, value) as Exclude<PdfObject, PdfStream>)
  }

  /** Writes an object as text: for one whose exact layout matters. A number is a gap of so many zero digits. */
  setText(object: PdfRef, ...text: ObjectText): void {
    this.pending.set(object.num, { ref: object, text, value: null, changes: undefined })
  }

  /** Sets one entry of a dictionary of the file; all others stay, as far as possible in their original text. */
  change(object: PdfRef, dict: PdfDict, key: string, value: PdfObject): void {
    const known = this.pending.get(object.num)
    if (known?.changes) {
      known.changes.set(key, value)
      return
    }
    const base = known && isDict(known.value) ? known.value : dict
    const changes = new Map<string, PdfObject>().set(key, value)
    this.pending.set(object.num, { ref: object, text: undefined, value: base, changes })
  }

  /** The value an object has in this update, or else in the file. */
  current(object: PdfRef): PdfObject {
    const known = this.pending.get(object.num)
    if (!known || !sameRef(known.ref, object) || known.text) return this.file.object(object)
    return known.changes ? new Map([...(known.value as PdfDict), ...known.changes]) : known.value
  }

  /** Follows references, this update's objects first. */
  resolve(value: PdfObject | undefined): PdfObject {
    return isRef(value) ? this.file.resolve(this.current(value)) : (value ?? null)
  }

  /** The update as bytes, with the zero digits of gaps or without them; offsets always count them. */
  finish(holes: 'zeros' | 'left-out' = 'zeros'): FinishedUpdate {
    const { source } = this.file
    const [lastByte] = source.read(source.length - 1, source.length)
    const layout = new Layout(source.length, holes === 'zeros')
    if (lastByte !== 10 && lastByte !== 13) layout.text('\n')
    const rows: Row[] = []
    for (const object of inOrder(this.pending)) {
      const { num, gen } = object.ref
      rows.push({ num, gen, offset: layout.position })
      layout.text(objectHead(num, gen))
      this.writeBody(layout, object)
      layout.text('\nendobj\n')
    }
    this.writeSection(layout, rows)
    return {
      appended: layout.toBuffer(),
      fileLength: layout.position,
      bodyOffset: ({ num, gen }) => rows.find((row) => row.num === num)!.offset + objectHead(num, gen).length,
    }
  }

  private writeBody(layout: Layout, { ref, text, value, changes }: PendingObject): void {
    if (text) {
      for (const part of text) typeof part === 'string' ? layout.text(part) : layout.zeros(part)
    } else if (changes) layout.text(this.changedText(ref, value as PdfDict, changes))
    else layout.object(this.stored(ref, value))
  }

  /**
   * New entries are put after the dictionary's own text, which keeps its original numbers and order. In an encrypted
   * file that text is encrypted already, as an object of this number has to be.
   */
  private changedText(ref: PdfRef, dict: PdfDict, changes: PdfDict): string {
    const source = this.file.sourceOf(dict)
    if (source === undefined || haveCommonKey(dict, changes))
      return writeObject(this.stored(ref, new Map([...dict, ...changes])) as PdfDict)
    let text = source.slice(0, -2)
    for (const [key, value] of this.stored(ref, changes) as PdfDict) text += `${writeEntry(key, value)}\n`
    return `${text}>>`
  }

  /** A value as the file has it: encrypted, where the file is. */
  private stored(ref: PdfRef, value: PdfObject): PdfObject {
    const { encryption } = this.file
    return encryption ? encryption.cipher.encrypted(value, ref, this.uuid) : value
  }

  private writeSection(layout: Layout, rows: Row[]): void {
    const position = layout.position
    if (this.file.section.style === 'table') {
      layout.text(`${tableText(rows)}trailer\n${writeObject(this.trailer(this.next))}`)
    } else {
      const own = this.reserve()
      rows.push({ num: own.num, gen: 0, offset: position })
      layout.text(objectHead(own.num, 0))
      layout.object(streamSection(rows, this.trailer(this.next)))
      layout.text('\nendobj')
    }
    layout.text(`\nstartxref\n${position}\n%%EOF\n`)
  }

  private trailer(size: number): PdfDict {
    const trailer = new Map<string, PdfObject>()
    for (const [key, value] of this.file.trailer) if (!SECTION_KEYS.has(key)) trailer.set(key, value)
    trailer.set('Size', size)
    trailer.set('Prev', this.file.section.offset)
    const id = this.file.resolve(this.file.trailer.get('ID'))
    // §14.4: the first half identifies the document permanently, the second this version of it.
    if (isArray(id) && isString(id[0])) trailer.set('ID', [id[0], hexString(idOf(this.uuid))])
    return trailer
  }
}

/** Up to so many objects, as a signature has, an insertion sort costs less than a general sort. */
const FEW = 32

function inOrder(objects: ReadonlyMap<number, PendingObject>): PendingObject[] {
  if (objects.size > FEW) return [...objects.values()].sort((a, b) => a.ref.num - b.ref.num)
  const sorted: PendingObject[] = []
  for (const object of objects.values()) {
    let at = sorted.push(object) - 1
    for (; at > 0 && sorted[at - 1]!.ref.num > object.ref.num; at--) sorted[at] = sorted[at - 1]!
    sorted[at] = object
  }
  return sorted
}

const objectHead = (num: number, gen: number): string => `${num} ${gen} obj\n`

function haveCommonKey(a: PdfDict, b: PdfDict): boolean {
  for (const key of b.keys()) if (a.has(key)) return true
  return false
}

/** 16 bytes; a UUID uses entropy that Node keeps in a cache, unlike other sources. */
const idOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

interface Row {
  readonly num: number
  readonly gen: number
  readonly offset: number
}

/** Text and bytes in sequence, with the current position in the file; written into one buffer at the end. */
class Layout {
  position: number
  /** Bytes to write: fewer than the position when zeros are left out. */
  private length = 0
  private readonly writesZeros: boolean
  private readonly parts: (string | number | Uint8Array)[] = []
  /** Text not yet among the parts: joining strings is cheaper than writing piece by piece. */
  private pending = ''

  constructor(start: number, writesZeros: boolean) {
    this.position = start
    this.writesZeros = writesZeros
  }

  text(text: string): void {
    this.pending += text
    this.position += text.length
    this.length += text.length
  }

  zeros(count: number): void {
    this.position += count
    if (!this.writesZeros) return
    this.part(count)
    this.length += count
  }

  object(object: PdfObject): void {
    if (!isStream(object)) {
      this.text(writeObject(object))
      return
    }
    this.text(streamHead(object))
    this.part(object.raw)
    this.position += object.raw.length
    this.length += object.raw.length
    this.text('\nendstream')
  }

  private part(part: number | Uint8Array): void {
    this.parts.push(this.pending, part)
    this.pending = ''
  }

  toBuffer(): Buffer {
    const buffer = Buffer.allocUnsafe(this.length)
    let at = 0
    for (const part of this.parts) {
      if (typeof part === 'string') at += buffer.write(part, at, 'latin1')
      else if (typeof part === 'number') {
        buffer.fill(ZERO_DIGIT, at, at + part)
        at += part
      } else {
        buffer.set(part, at)
        at += part.length
      }
    }
    buffer.write(this.pending, at, 'latin1')
    return buffer
  }
}

const ZERO_DIGIT = 0x30

/** Index of the first row, in ascending order of number, that does not continue the run of numbers begun at `start`. */
function endOfRun(rows: readonly Row[], start: number): number {
  let end = start + 1
  while (end < rows.length && rows[end]!.num === rows[end - 1]!.num + 1) end++
  return end
}

function tableText(rows: readonly Row[]): string {
  let text = 'xref\n'
  for (let start = 0; start < rows.length; ) {
    const end = endOfRun(rows, start)
    text += `${rows[start]!.num} ${end - start}\n`
    for (; start < end; start++) {
      const { offset, gen } = rows[start]!
      text += `${digits(offset, 10)} ${gen === 0 ? '00000' : digits(gen, 5)} n \n`
    }
  }
  return text
}

const digits = (value: number, width: number): string => String(value).padStart(width, '0')

/** One type byte, six of offset (256 TB), two of generation; not compressed, for a handful of rows would only grow. */
const OFFSET_BYTES = 6
const ROW_BYTES = 1 + OFFSET_BYTES + 2

function streamSection(rows: readonly Row[], trailer: PdfDict): PdfObject {
  const data = Buffer.alloc(rows.length * ROW_BYTES)
  rows.forEach(({ offset, gen }, i) => {
    data[i * ROW_BYTES] = 1
    data.writeUIntBE(offset, i * ROW_BYTES + 1, OFFSET_BYTES)
    data.writeUInt16BE(gen, i * ROW_BYTES + 1 + OFFSET_BYTES)
  })
  const index: number[] = []
  for (let start = 0; start < rows.length; ) {
    const end = endOfRun(rows, start)
    index.push(rows[start]!.num, end - start)
    start = end
  }
  const dict = new Map<string, PdfObject>([
    ['Type', name('XRef')],
    ...trailer,
    ['W', [1, OFFSET_BYTES, 2]],
    ['Index', index],
  ])
  return { kind: 'stream', dict, raw: data }
}
