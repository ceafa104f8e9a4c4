import { requireArguments } from '../errors/arguments.ts'
import { type FileEncryption, openEncryption } from './encryption/file-encryption.ts'
import { ambiguous, damaged, refusePdf, tooComplex } from './errors.ts'
import { limits, type ReadingLimits } from './limits.ts'
import { asBuffer, isWhite, ObjectParser } from './object-parser.ts'
import {
  isDict,
  isInteger,
  isRef,
  isStream,
  nameOf,
  type PdfDict,
  type PdfObject,
  type PdfRef,
  type PdfStream,
} from './pdf-object.ts'
import { sameValue } from './same-value.ts'
import { decodeFilters } from './stream-filters.ts'
import { readXrefStream, readXrefTable, type XrefEntry, type XrefSection } from './xref-section.ts'

/** The document at one revision. Objects are read on demand, and once for all revisions. */
export interface PdfView {
  readonly trailer: PdfDict
  /** The cross-reference entry of an object number at this revision; undefined when no section lists it. */
  entry(num: number): XrefEntry | undefined
  /** The object; null when it is free, missing or of another generation (ISO 32000-1 §7.3.10). */
  object(ref: PdfRef): PdfObject
  /** Follows references until a value; absent is null. */
  resolve(value: PdfObject | undefined): PdfObject
  /** A stream's data with its filters undone, within the limits of the file. */
  decode(stream: PdfStream): Uint8Array
  /** The document catalog. */
  catalog(): PdfDict
}

/** One saved state of the file. */
export interface PdfRevision extends PdfView {
  /** 0 is the oldest. */
  readonly index: number
  /** The sections this revision added; a linearised file has two, a hybrid section holds its stream itself. */
  readonly sections: readonly XrefSection[]
  /** First byte of the revision: where the one before ends. */
  readonly start: number
  /** First byte after the `%%EOF` of this revision, without its line end; the section's end when the marker is missing. */
  readonly markerEnd: number
  /** First byte after the line end of `%%EOF`. */
  readonly end: number
  /** Whether `startxref`, an offset and `%%EOF` follow the section directly and refer to it, as they should. */
  readonly closed: boolean
  /** Numbers that this revision's own sections list, hybrid part included. */
  ownNumbers(): ReadonlySet<number>
}

/** An opened file; the file itself is the view of its newest revision. */
export interface PdfFile extends PdfView {
  readonly bytes: Uint8Array
  /** Undefined for a file in clear. */
  readonly encryption: FileEncryption | undefined
  /** Newest section: its style is the one an update must be written in. */
  readonly section: XrefSection
  /** The number for a new object: above every listed one. */
  readonly nextNumber: number
  /** All revisions, oldest first. Computed on demand: signing does not need them. */
  readonly revisions: readonly PdfRevision[]
  /** The original text of an object that is this dictionary; undefined when it is in an object stream. */
  sourceOf(dict: PdfDict): string | undefined
  /** Version of the header or, when later, of the catalog, such as `1.7`. */
  version(): string
}

/** How a file is opened. */
export interface OpenPdfOptions extends PdfPassword, Partial<Pick<ReadingLimits, 'decodedTotal'>> {}

export interface PdfPassword {
  /** Of an encrypted file, its user's or its owner's. Default: the empty one, with which many can be read. */
  readonly password?: string | undefined
}

/**
 * Opens a PDF from its bytes: header, `startxref` at the end and the chain of cross-reference sections are read,
 * objects only on demand. Throws a specific refusal for anything that cannot be read without guessing.
 */
export function openPdf(bytes: Uint8Array, options: OpenPdfOptions = {}): PdfFile {
  requireArguments('openPdf', { bytes: [bytes, 'bytes'] }, options)
  const { decodedTotal = limits.decodedTotal, password } = options
  checkHeader(bytes)
  const core = new PdfCore(bytes, decodedTotal)
  const file = new OpenedPdf(core, core.readSections(lastStartxref(bytes)))
  file.decrypt(password)
  return file
}

const encryptOf = ({ trailer }: { readonly trailer: PdfDict }): PdfObject => trailer.get('Encrypt') ?? null

/** Further sections of one revision, such as the main one of a linearised file, need not say it (annex F.3.5). */
const saysOtherwise = (section: XrefSection, encrypt: PdfObject): boolean =>
  encryptOf(section) !== null && !sameValue(encryptOf(section), encrypt)

const HEADER = '%PDF-'

function checkHeader(bytes: Uint8Array): void {
  if (isAt(bytes, 0, HEADER)) return
  const at = asBuffer(bytes.subarray(0, 1024)).indexOf(HEADER, 0, 'latin1')
  if (at < 0) throw refusePdf('pdf.not-a-pdf')
  throw refusePdf('pdf.junk-before-header', { bytes: at })
}

const STARTXREF = 'startxref'

function lastStartxref(bytes: Uint8Array): number {
  let at = bytes.length - STARTXREF.length
  const stop = Math.max(0, at - limits.tail)
  while (at > stop && !(bytes[at] === 0x73 && isAt(bytes, at, STARTXREF))) at--
  if (at <= stop) throw damaged(bytes.length, 'there is no startxref at the end of the file')
  const parser = new ObjectParser(bytes, at + STARTXREF.length, true)
  parser.skipWhite()
  const offset = parser.unsigned()
  if (offset === undefined || offset >= bytes.length) throw damaged(at, 'startxref does not point into the file')
  return offset
}

function isAt(bytes: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false
  return true
}

type Resolver = Pick<PdfView, 'resolve'>

/** State shared by all views of one file: the bytes, the objects read so far, the budget of decoded bytes. */
class PdfCore {
  readonly bytes: Buffer
  /** Set once /Encrypt has been read, which is itself in clear. */
  encryption: FileEncryption | undefined
  private readonly byOffset = new Map<number, PdfObject>()
  private readonly spans = new Map<PdfDict, { readonly start: number; readonly end: number }>()
  // Created on demand: a file with a plain table is signed without either.
  private objectStreams: Map<PdfStream, ObjectStream> | undefined
  private decoded: WeakMap<PdfStream, Uint8Array> | undefined
  private readonly decodedTotal: number
  private decodedBytes = 0
  /** Offsets being read: an indirect /Length that needs its own stream would recurse forever. */
  private readonly reading: number[] = []

  constructor(bytes: Uint8Array, decodedTotal: number) {
    this.bytes = asBuffer(bytes)
    this.decodedTotal = decodedTotal
  }

  /** Newest first, along /Prev. */
  readSections(startxref: number): XrefSection[] {
    const sections: XrefSection[] = []
    const seen = new Set<number>()
    for (let next: number | undefined = startxref; next !== undefined; ) {
      if (seen.has(next)) throw damaged(next, 'the cross-reference chain goes round')
      if (sections.length >= limits.sections) throw tooComplex('too many cross-reference sections')
      seen.add(next)
      const section: XrefSection = this.readSection(next)
      sections.push(section)
      next = this.offsetIn(section.trailer, 'Prev', next)
    }
    return sections
  }

  private readSection(offset: number): XrefSection {
    const parser = new ObjectParser(this.bytes, offset, true)
    skipPlainWhite(parser)
    if (!parser.keyword('xref')) return this.readStreamSection(parser, offset)
    const table = readXrefTable(parser, offset)
    const hybridAt = this.offsetIn(table.trailer, 'XRefStm', offset)
    if (hybridAt === undefined) return table
    return { ...table, hybrid: this.readStreamSection(new ObjectParser(this.bytes, hybridAt, true), hybridAt) }
  }

  private readStreamSection(parser: ObjectParser, offset: number): XrefSection {
    const { value, end } = this.indirectObject(parser, undefined, directly)
    if (!isStream(value) || nameOf(value.dict.get('Type')) !== 'XRef') {
      throw damaged(offset, 'no cross-reference section is here')
    }
    return readXrefStream(value, (stream) => this.decode(stream, directly), {
      offset,
      end,
      fileLength: this.bytes.length,
    })
  }

  private offsetIn(trailer: PdfDict, key: string, at: number): number | undefined {
    const value = trailer.get(key)
    if (value === undefined || value === null) return undefined
    if (!isInteger(value) || value < 0 || value >= this.bytes.length)
      throw damaged(at, `/${key} does not point into the file`)
    return value
  }

  /** The object at an offset, which must have the number and generation of its cross-reference entry. */
  objectAt(ref: PdfRef, offset: number, view: PdfView): PdfObject {
    const known = this.byOffset.get(offset)
    if (known !== undefined) return known
    if (offset >= this.bytes.length) throw damaged(offset, `object ${ref.num} lies beyond the end of the file`)
    if (this.reading.includes(offset)) throw damaged(offset, 'an object needs itself in order to be read')
    if (this.reading.length >= limits.referenceHops) throw tooComplex('streams need other streams in order to be read')
    this.reading.push(offset)
    try {
      const parser = new ObjectParser(this.bytes, offset, true)
      const { value: stored, start, valueEnd } = this.indirectObject(parser, ref, view)
      const value = this.encryption ? this.encryption.cipher.decrypted(stored, ref) : stored
      this.byOffset.set(offset, value)
      if (isDict(value)) this.spans.set(value, { start, end: valueEnd })
      return value
    } finally {
      this.reading.pop()
    }
  }

  /** An object inside an object stream (ISO 32000-1 §7.5.7). */
  compressedObject(num: number, container: PdfObject, index: number, view: PdfView): PdfObject {
    if (!isStream(container)) throw damaged(0, `object ${num} is said to be in an object stream that is none`)
    this.objectStreams ??= new Map()
    let opened = this.objectStreams.get(container)
    if (!opened) {
      opened = new ObjectStream(container.dict, this.decode(container, view), container.start ?? 0)
      this.objectStreams.set(container, opened)
    }
    return opened.object(num, index)
  }

  decode(stream: PdfStream, resolver: Resolver): Uint8Array {
    this.decoded ??= new WeakMap()
    const known = this.decoded.get(stream)
    if (known) return known
    const left = Math.min(limits.decodedStream, this.decodedTotal - this.decodedBytes)
    if (left <= 0) throw tooComplex('the streams decode to too many bytes')
    const data = decodeFilters(stream.dict, stream.raw, (value) => resolver.resolve(value), left)
    this.decodedBytes += data.length
    this.decoded.set(stream, data)
    return data
  }

  /** The text of a dictionary that is an object of the file itself. */
  sourceOf(dict: PdfDict): string | undefined {
    const span = this.spans.get(dict)
    return span && this.bytes.toString('latin1', span.start, span.end)
  }

  private indirectObject(
    parser: ObjectParser,
    expected: PdfRef | undefined,
    resolver: Resolver,
  ): { value: PdfObject; start: number; valueEnd: number; end: number } {
    const head = parser.pos
    skipPlainWhite(parser)
    const num = parser.unsigned()
    parser.skipWhite()
    const gen = parser.unsigned()
    parser.skipWhite()
    if (num === undefined || gen === undefined || !parser.keyword('obj')) throw damaged(head, 'no object is here')
    if (expected && (num !== expected.num || gen !== expected.gen)) {
      throw damaged(head, `object ${expected.num} ${expected.gen} is expected, ${num} ${gen} is here`)
    }
    parser.skipWhite()
    const start = parser.pos
    let value = parser.value()
    const valueEnd = parser.pos
    parser.skipWhite()
    if (isDict(value) && parser.keyword('stream')) {
      value = this.streamData(parser, value, resolver)
      parser.skipWhite()
    }
    if (!parser.keyword('endobj')) throw damaged(parser.pos, `object ${num} does not end`)
    return { value, start, valueEnd, end: parser.pos }
  }

  private streamData(parser: ObjectParser, dict: PdfDict, resolver: Resolver): PdfStream {
    const { bytes } = this
    // §7.3.8.1: the keyword is followed by CR LF or LF. Some writers end it with CR alone, which readers accept.
    if (bytes[parser.pos] === 13) parser.pos++
    if (bytes[parser.pos] === 10) parser.pos++
    const start = parser.pos
    const length = resolver.resolve(dict.get('Length'))
    if (!isInteger(length) || length < 0 || start + length > bytes.length)
      throw damaged(start, 'a stream has no usable /Length')
    parser.pos = start + length
    skipPlainWhite(parser)
    if (!parser.keyword('endstream')) throw damaged(parser.pos, 'a stream does not end where its /Length says')
    return { kind: 'stream', dict, raw: bytes.subarray(start, start + length), start }
  }
}

/** Cross-reference streams come before references can be followed: their own values must be direct. */
const directly: Resolver = { resolve: (value) => (isRef(value) ? null : (value ?? null)) }

/** White space only: before an object or `endstream`, a percent sign would be data and no comment. */
function skipPlainWhite(parser: ObjectParser): void {
  while (isWhite(parser.bytes[parser.pos])) parser.pos++
}

/** The objects of one object stream, each parsed when asked for. */
class ObjectStream {
  private readonly data: Uint8Array
  private readonly offset: number
  private readonly first: number
  private readonly numbers: number[] = []
  private readonly starts: number[] = []
  private readonly parsed = new Map<number, PdfObject>()

  constructor(dict: PdfDict, data: Uint8Array, offset: number) {
    this.data = data
    this.offset = offset
    const count = dict.get('N')
    const first = dict.get('First')
    if (!isInteger(count) || !isInteger(first) || count < 0 || first < 0 || count > data.length) throw this.unreadable()
    this.first = first
    this.readHeader(count)
  }

  /** Some readers look for the number where the cross-reference has another index, some show nothing then. */
  object(num: number, index: number): PdfObject {
    if (this.numbers[index] !== num)
      throw damaged(this.offset, `object ${num} is not in its place of its object stream`)
    let object = this.parsed.get(index)
    if (object === undefined) {
      object = new ObjectParser(this.data, this.first + this.starts[index]!, false).value()
      this.parsed.set(index, object)
    }
    return object
  }

  private readHeader(count: number): void {
    const parser = new ObjectParser(this.data, 0, false)
    for (let i = 0; i < count; i++) {
      parser.skipWhite()
      const num = parser.unsigned()
      parser.skipWhite()
      const start = parser.unsigned()
      if (num === undefined || start === undefined) throw this.unreadable()
      this.numbers.push(num)
      this.starts.push(start)
    }
  }

  private unreadable() {
    return damaged(this.offset, 'an object stream cannot be read')
  }
}

/** A view over the sections from one revision down to the oldest. */
class SectionsView implements PdfView {
  protected readonly core: PdfCore
  protected readonly chain: readonly XrefSection[]
  readonly trailer: PdfDict
  private root: PdfDict | undefined

  constructor(core: PdfCore, chain: readonly XrefSection[], trailer: PdfDict) {
    this.core = core
    this.chain = chain
    this.trailer = trailer
  }

  entry(num: number): XrefEntry | undefined {
    for (const section of this.chain) {
      const own = section.lookup(num)
      // §7.5.8.4: in a hybrid section the table marks as free what only the stream lists.
      const entry = own?.kind === 'offset' ? own : (section.hybrid?.lookup(num) ?? own)
      if (entry) return entry
    }
    return undefined
  }

  object(ref: PdfRef): PdfObject {
    const entry = this.entry(ref.num)
    if (!entry || entry.kind === 'free') return null
    if (entry.kind === 'offset') return entry.gen === ref.gen ? this.core.objectAt(ref, entry.offset, this) : null
    if (ref.gen !== 0) return null
    const place = this.entry(entry.stream)
    if (place?.kind !== 'offset') throw damaged(0, `object stream ${entry.stream} is missing`)
    const container = this.core.objectAt({ kind: 'ref', num: entry.stream, gen: place.gen }, place.offset, this)
    return this.core.compressedObject(ref.num, container, entry.index, this)
  }

  resolve(value: PdfObject | undefined): PdfObject {
    let current = value ?? null
    for (let hops = 0; isRef(current); hops++) {
      if (hops >= limits.referenceHops) throw tooComplex('references lead on to references')
      current = this.object(current)
    }
    return current
  }

  decode(stream: PdfStream): Uint8Array {
    return this.core.decode(stream, this)
  }

  catalog(): PdfDict {
    if (this.root) return this.root
    const catalog = this.resolve(this.trailer.get('Root'))
    if (!isDict(catalog)) throw damaged(this.chain[0]?.offset ?? 0, 'the document has no catalog')
    this.root = catalog
    return catalog
  }
}

class OpenedPdf extends SectionsView implements PdfFile {
  readonly section: XrefSection
  private grouped: readonly PdfRevision[] | undefined

  constructor(core: PdfCore, sections: readonly XrefSection[]) {
    super(core, sections, sections[0]!.trailer)
    this.section = sections[0]!
  }

  get bytes(): Uint8Array {
    return this.core.bytes
  }

  get encryption(): FileEncryption | undefined {
    return this.core.encryption
  }

  decrypt(password: string | undefined): void {
    if (!this.isEncrypted()) return
    const resolve = (value: PdfObject | undefined) => this.resolve(value)
    this.core.encryption = openEncryption(this.trailer, resolve, { password, fileLength: this.bytes.length })
  }

  /** Every revision must say it alike: another encryption makes another document of the same bytes. */
  private isEncrypted(): boolean {
    const sections = this.chain.flatMap((section) => (section.hybrid ? [section, section.hybrid] : [section]))
    if (sections.every((section) => encryptOf(section) === null)) return false
    const encrypt = encryptOf(this)
    const alike = this.revisions.every((revision) => sameValue(encryptOf(revision), encrypt))
    if (!alike || sections.some((section) => saysOtherwise(section, encrypt)))
      throw ambiguous('revisions of the file are encrypted in different ways')
    return true
  }

  get nextNumber(): number {
    let next = 1
    for (const { trailer, limit, hybrid } of this.chain) {
      const size = trailer.get('Size')
      next = Math.max(next, limit, hybrid?.limit ?? 0, isInteger(size) ? size : 0)
    }
    if (next > limits.objectNumber) throw tooComplex('an object number is too high')
    return next
  }

  sourceOf(dict: PdfDict): string | undefined {
    return this.core.sourceOf(dict)
  }

  get revisions(): readonly PdfRevision[] {
    this.grouped ??= groupRevisions(this.core, this.chain)
    return this.grouped
  }

  version(): string {
    const { bytes } = this
    const header = String.fromCharCode(bytes[5] ?? 0, bytes[6] ?? 0, bytes[7] ?? 0)
    const later = nameOf(this.resolve(this.catalog().get('Version')))
    return later !== undefined && later.length === 3 && later > header ? later : header
  }
}

class Revision extends SectionsView implements PdfRevision {
  readonly index: number
  readonly sections: readonly XrefSection[]
  readonly start: number
  readonly markerEnd: number
  readonly end: number
  readonly closed: boolean

  constructor(
    core: PdfCore,
    chain: readonly XrefSection[],
    sections: readonly XrefSection[],
    index: number,
    start: number,
  ) {
    super(core, chain, sections[0]!.trailer)
    this.index = index
    this.sections = sections
    this.start = start
    const { markerEnd, end, closed } = endOfRevision(core.bytes, sections)
    this.markerEnd = markerEnd
    this.end = end
    this.closed = closed
  }

  ownNumbers(): ReadonlySet<number> {
    const numbers = new Set<number>()
    for (const { numbers: own, hybrid } of this.sections) {
      for (const num of own()) numbers.add(num)
      for (const num of hybrid?.numbers() ?? []) numbers.add(num)
    }
    return numbers
  }
}

/**
 * Sections, newest first, become revisions, oldest first. A linearised file's first section is at the start of the file
 * and its /Prev points forward (ISO 32000-1 annex F): both are one revision, because they were written together.
 */
function groupRevisions(core: PdfCore, sections: readonly XrefSection[]): PdfRevision[] {
  const groups: { from: number; to: number }[] = []
  for (let from = 0; from < sections.length; ) {
    let to = from + 1
    while (to < sections.length && sections[to]!.offset > sections[to - 1]!.offset) to++
    groups.unshift({ from, to })
    from = to
  }
  const revisions: PdfRevision[] = []
  groups.forEach(({ from, to }, index) => {
    const start = revisions[index - 1]?.end ?? 0
    revisions.push(new Revision(core, sections.slice(from), sections.slice(from, to), index, start))
  })
  return revisions
}

function endOfRevision(bytes: Uint8Array, sections: readonly XrefSection[]) {
  const last = sections.reduce((a, b) => (b.end > a.end ? b : a))
  const parser = new ObjectParser(bytes, last.end, true)
  parser.skipWhite()
  let closed = parser.keyword('startxref')
  parser.skipWhite()
  const named = parser.unsigned()
  closed &&= sections.some(({ offset }) => offset === named)
  skipPlainWhite(parser)
  const marker = asBuffer(bytes.subarray(parser.pos, parser.pos + 5)).toString('latin1') === '%%EOF'
  if (!marker) return { markerEnd: parser.pos, end: parser.pos, closed: false }
  const markerEnd = parser.pos + 5
  let end = markerEnd
  if (bytes[end] === 13) end++
  if (bytes[end] === 10) end++
  return { markerEnd, end, closed }
}
