import { EngineError } from '../../errors/engine-error.ts'
import { damaged } from '../errors.ts'
import { limits } from '../limits.ts'
import { isWhite, ObjectParser } from '../object-parser.ts'
import {
  isDict,
  isInteger,
  isRef,
  isStream,
  nameOf,
  type PdfDict,
  type PdfObject,
  type PdfStream,
} from '../pdf-object.ts'
import { decodeFilters } from '../stream-filters.ts'

/** The objects of a file, found by going through its bytes: the last one of each number, as readers that repair take. */
export class FoundObjects {
  /** Trailer dictionaries in the order of the file, those of cross-reference streams included. */
  readonly trailers: PdfDict[] = []
  private readonly bytes: Buffer
  private readonly objects = new Map<number, PdfObject>()
  /** Objects that are nothing but a number, where lengths of streams may be kept. */
  private readonly numbers: ReadonlyMap<number, number>
  private readonly streams: { readonly from: number; readonly to: number }[] = []
  private decoded = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.numbers = plainNumbers(bytes)
    for (let at = nextHead(bytes, 0); at; at = nextHead(bytes, this.readObject(at))) if (isFull(this.objects)) break
    this.findTrailers()
  }

  has(num: number): boolean {
    return this.objects.has(num)
  }

  values(): Iterable<PdfObject> {
    return this.objects.values()
  }

  entries(): Iterable<[number, PdfObject]> {
    return this.objects.entries()
  }

  /** Follows references until a value; null for what is not there. */
  resolve(value: PdfObject | undefined): PdfObject {
    let current = value ?? null
    for (let hops = 0; isRef(current) && hops < limits.referenceHops; hops++)
      current = this.objects.get(current.num) ?? null
    return isRef(current) ? null : current
  }

  /** Takes the object behind a head, and says where the search goes on: data of streams is not looked through. */
  private readObject({ num, end }: Head): number {
    const read = attempt(() => this.valueAt(end))
    if (!read) return end
    this.objects.set(num, read.value)
    if (isStream(read.value)) this.readStream(read.value)
    return read.end
  }

  private valueAt(start: number): { readonly value: PdfObject; readonly end: number } {
    const parser = new ObjectParser(this.bytes, start, false)
    const value = parser.value()
    parser.skipWhite()
    if (!isDict(value) || !parser.keyword('stream')) return { value, end: parser.pos }
    const from = afterLineEnd(this.bytes, parser.pos)
    const to = this.endOfData(value, from)
    this.streams.push({ from, to })
    return { value: { kind: 'stream', dict: value, raw: this.bytes.subarray(from, to) }, end: to }
  }

  /** Where /Length says, if the data ends there, or else before the next `endstream`. */
  private endOfData(dict: PdfDict, from: number): number {
    const told = dict.get('Length') ?? null
    const length = isRef(told) ? this.numbers.get(told.num) : told
    if (isInteger(length) && length >= 0 && isEndOfStream(this.bytes, from + length)) return from + length
    const end = this.bytes.indexOf('endstream', from)
    if (end >= 0) return beforeLineEnd(this.bytes, end, from)
    // A file that was cut off: the data of its last stream is not whole, and no use.
    throw damaged(from, 'the data of a stream does not end')
  }

  private readStream(stream: PdfStream): void {
    const type = nameOf(stream.dict.get('Type'))
    if (type === 'XRef') this.trailers.push(stream.dict)
    if (type === 'ObjStm') attempt(() => this.readObjectStream(stream))
  }

  private readObjectStream({ dict, raw }: PdfStream): void {
    const [count, first] = [this.resolve(dict.get('N')), this.resolve(dict.get('First'))]
    const room = Math.min(limits.decodedStream, limits.decodedTotal - this.decoded)
    const data = decodeFilters(dict, raw, (value) => this.resolve(value), Math.max(room, 0))
    this.decoded += data.length
    if (!isInteger(count) || !isInteger(first)) return
    const header = new ObjectParser(data, 0, false)
    for (let i = 0; i < count; i++) {
      header.skipWhite()
      const num = header.unsigned()
      header.skipWhite()
      const offset = header.unsigned()
      if (num === undefined || offset === undefined) return
      const value = attempt(() => new ObjectParser(data, first + offset, false).value())
      if (value !== undefined) this.objects.set(num, value)
    }
  }

  /** What stands in the data of a stream, such as another PDF, is not of this file. */
  private findTrailers(): void {
    let next = 0
    for (let at = this.bytes.indexOf('trailer'); at >= 0; at = this.bytes.indexOf('trailer', at + 7)) {
      while (next < this.streams.length && this.streams[next]!.to <= at) next++
      if ((this.streams[next]?.from ?? Number.POSITIVE_INFINITY) <= at) continue
      const value = attempt(() => new ObjectParser(this.bytes, at + 7, false).value())
      if (isDict(value)) this.trailers.push(value)
    }
  }
}

const isFull = (objects: ReadonlyMap<number, unknown>): boolean => objects.size > limits.elements

/** The value, or undefined where there is none to be read. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof EngineError) return undefined
    throw error
  }
}

/** `n g obj`: the number, and where the object's own text begins. */
interface Head {
  readonly num: number
  readonly end: number
}

function nextHead(bytes: Buffer, from: number): Head | undefined {
  for (let at = bytes.indexOf('obj', from); at >= 0; at = bytes.indexOf('obj', at + 3)) {
    const generation = digitsBefore(bytes, at, 0)
    const number = generation && digitsBefore(bytes, generation.start, 1)
    if (number && number.value > 0 && number.value <= limits.objectNumber) return { num: number.value, end: at + 3 }
  }
  return undefined
}

/** The digits that end before `end`, behind at least so much white space. */
function digitsBefore(bytes: Buffer, end: number, white: number) {
  let last = end
  while (isWhite(bytes[last - 1])) last--
  let start = last
  while (last - start < 10 && isDigit(bytes[start - 1])) start--
  return start === last || end - last < white
    ? undefined
    : { value: Number(bytes.toString('latin1', start, last)), start }
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39

function plainNumbers(bytes: Buffer): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  for (let at = nextHead(bytes, 0); at; at = nextHead(bytes, at.end)) {
    const text = bytes.toString('latin1', at.end, at.end + 32)
    const value = /^\s*(\d{1,12})\s*endobj/.exec(text)?.[1]
    if (value !== undefined) found.set(at.num, Number(value))
  }
  return found
}

function isEndOfStream(bytes: Buffer, at: number): boolean {
  return at <= bytes.length && /^[\0\t\n\f\r ]*endstream/.test(bytes.toString('latin1', at, at + 16))
}

const afterLineEnd = (bytes: Buffer, at: number): number => {
  const afterReturn = bytes[at] === 13 ? at + 1 : at
  return bytes[afterReturn] === 10 ? afterReturn + 1 : afterReturn
}

/** The line end before `endstream` is none of the data (ISO 32000-1 §7.3.8.1). */
function beforeLineEnd(bytes: Buffer, end: number, from: number): number {
  const feed = end > from && bytes[end - 1] === 10 ? end - 1 : end
  return feed > from && bytes[feed - 1] === 13 ? feed - 1 : feed
}
