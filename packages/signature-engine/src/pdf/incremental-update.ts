import { randomUUID } from 'node:crypto'
import { tooComplex } from './errors.ts'
import { limits } from './limits.ts'
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
  ref,
  sameRef,
} from './pdf-object.ts'

/** Trailer entries that belong to one section and must not be taken over into the next. */
const SECTION_KEYS = new Set(['Prev', 'XRefStm', 'Size', 'Type', 'W', 'Index', 'Length', 'Filter', 'DecodeParms', 'DL'])

/** What an update adds behind the file's bytes. */
export interface FinishedUpdate {
  readonly appended: Buffer
  /** Offset in the whole file at which an object's own text begins, after `n g obj` and its line end. */
  bodyOffset(object: PdfRef): number
}

/** What an object of the update consists of: a value, text, or a dictionary of the file with some entries changed. */
type Body = PdfObject | ObjectText | ChangedDict

/** PDF text, one character per byte; a number stands for as many zero digits: the hole of a signature. */
type ObjectText = { readonly kind: 'text'; readonly parts: readonly (string | number)[] }

type ChangedDict = {
  readonly kind: 'changed'
  readonly dict: PdfDict
  readonly entries: Map<string, PdfObject>
}

/**
 * An incremental update (ISO 32000-1 §7.5.6): new and changed objects, then a cross-reference section in the style of the
 * last one, because a table after a stream is invalid for many readers. The bytes before it are never touched.
 */
export class IncrementalUpdate {
  private readonly file: PdfFile
  private readonly bodies = new Map<number, { readonly ref: PdfRef; readonly body: Body }>()
  private next: number

  constructor(file: PdfFile) {
    this.file = file
    this.next = file.nextNumber
  }

  /** The number of an object whose content comes later with {@link set} or {@link setText}. */
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
    this.bodies.set(object.num, { ref: object, body: value })
  }

  /** Writes an object as text: for one whose exact layout matters. A number is a hole of so many zero digits. */
  setText(object: PdfRef, ...parts: readonly (string | number)[]): void {
    this.bodies.set(object.num, { ref: object, body: { kind: 'text', parts } })
  }

  /** Sets one entry of a dictionary of the file; all others stay, and as far as possible as they are written. */
  change(object: PdfRef, dict: PdfDict, key: string, value: PdfObject): void {
    const pending = this.bodies.get(object.num)?.body
    if (isChange(pending)) pending.entries.set(key, value)
    else {
      const base = isDict(pending as PdfObject) ? (pending as PdfDict) : dict
      this.bodies.set(object.num, {
        ref: object,
        body: { kind: 'changed', dict: base, entries: new Map([[key, value]]) },
      })
    }
  }

  /** The value an object has in this update, or else in the file. */
  current(object: PdfRef): PdfObject {
    const pending = this.bodies.get(object.num)
    if (!pending || !sameRef(pending.ref, object) || isText(pending.body)) return this.file.object(object)
    return isChange(pending.body) ? new Map([...pending.body.dict, ...pending.body.entries]) : pending.body
  }

  /** Follows references, seeing this update's objects first. */
  resolve(value: PdfObject | undefined): PdfObject {
    return isRef(value) ? this.file.resolve(this.current(value)) : (value ?? null)
  }

  finish(): FinishedUpdate {
    const { bytes } = this.file
    const lastByte = bytes[bytes.length - 1]
    const layout = new Layout(bytes.length)
    if (lastByte !== 10 && lastByte !== 13) layout.text('\n')
    const offsets = new Map<number, number>()
    const rows: Row[] = []
    for (const num of [...this.bodies.keys()].sort((a, b) => a - b)) {
      const { ref: object, body } = this.bodies.get(num)!
      rows.push({ num, gen: object.gen, offset: layout.position })
      layout.text(`${num} ${object.gen} obj\n`)
      offsets.set(num, layout.position)
      this.writeBody(layout, body)
      layout.text('\nendobj\n')
    }
    this.writeSection(layout, rows)
    return { appended: layout.toBuffer(), bodyOffset: ({ num }) => offsets.get(num)! }
  }

  private writeBody(layout: Layout, body: Body): void {
    if (isText(body)) {
      for (const part of body.parts) typeof part === 'string' ? layout.text(part) : layout.zeros(part)
    } else if (isChange(body)) layout.text(this.changedText(body))
    else layout.object(body)
  }

  /** New entries are put behind the dictionary's own text, which keeps numbers and order as their author wrote them. */
  private changedText({ dict, entries }: ChangedDict): string {
    const source = this.file.sourceOf(dict)
    const areNew = [...entries.keys()].every((key) => !dict.has(key))
    if (source === undefined || !areNew) return writeObject(new Map([...dict, ...entries]))
    let text = source.slice(0, -2)
    for (const [key, value] of entries) text += `${writeEntry(key, value)}\n`
    return `${text}>>`
  }

  private writeSection(layout: Layout, rows: Row[]): void {
    const position = layout.position
    if (this.file.section.style === 'table') {
      layout.text(`${tableText(rows)}trailer\n${writeObject(this.trailer(this.next))}`)
    } else {
      const own = this.reserve()
      rows.push({ num: own.num, gen: 0, offset: position })
      layout.text(`${own.num} 0 obj\n`)
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
    // §14.4: the first half names the document for ever, the second this version of it.
    if (isArray(id) && isString(id[0])) trailer.set('ID', [id[0], hexString(randomId())])
    return trailer
  }
}

const isText = (body: Body | undefined): body is ObjectText => (body as ObjectText | undefined | null)?.kind === 'text'
const isChange = (body: Body | undefined): body is ChangedDict =>
  (body as ChangedDict | undefined | null)?.kind === 'changed'

/** 16 bytes; a UUID comes from entropy that Node keeps in store, which no other source of them does. */
const randomId = (): Buffer => Buffer.from(randomUUID().replaceAll('-', ''), 'hex')

interface Row {
  readonly num: number
  readonly gen: number
  readonly offset: number
}

/** Text and bytes one after the other, with the position in the file at hand; written into one buffer at the end. */
class Layout {
  position: number
  private readonly start: number
  private readonly parts: (string | number | Uint8Array)[] = []
  /** Text not yet among the parts: joining is cheaper than writing piece by piece. */
  private pending = ''

  constructor(start: number) {
    this.start = start
    this.position = start
  }

  text(text: string): void {
    this.pending += text
    this.position += text.length
  }

  zeros(count: number): void {
    this.part(count)
    this.position += count
  }

  object(object: PdfObject): void {
    if (!isStream(object)) {
      this.text(writeObject(object))
      return
    }
    this.text(streamHead(object))
    this.part(object.raw)
    this.position += object.raw.length
    this.text('\nendstream')
  }

  private part(part: number | Uint8Array): void {
    this.parts.push(this.pending, part)
    this.pending = ''
  }

  toBuffer(): Buffer {
    this.parts.push(this.pending)
    const buffer = Buffer.allocUnsafe(this.position - this.start)
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
    return buffer
  }
}

const ZERO_DIGIT = 0x30

/** Rows in ascending order of number become runs of consecutive numbers. */
function* runsOf(rows: readonly Row[]): Iterable<readonly Row[]> {
  let start = 0
  for (let i = 1; i <= rows.length; i++) {
    if (i < rows.length && rows[i]!.num === rows[i - 1]!.num + 1) continue
    yield rows.slice(start, i)
    start = i
  }
}

function tableText(rows: readonly Row[]): string {
  let text = 'xref\n'
  for (const run of runsOf(rows)) {
    text += `${run[0]!.num} ${run.length}\n`
    for (const { offset, gen } of run) text += `${digits(offset, 10)} ${digits(gen, 5)} n \n`
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
  const index = [...runsOf(rows)].flatMap((run) => [run[0]!.num, run.length])
  const dict = new Map<string, PdfObject>([
    ['Type', name('XRef')],
    ...trailer,
    ['W', [1, OFFSET_BYTES, 2]],
    ['Index', index],
  ])
  return { kind: 'stream', dict, raw: data }
}
