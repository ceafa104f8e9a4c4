import { damaged, tooComplex } from './errors.ts'
import { limits } from './limits.ts'
import { isWhite, type ObjectParser } from './object-parser.ts'
import { isArray, isInteger, type PdfDict, type PdfStream } from './pdf-object.ts'

/** The location of an object: free, at an offset of the file, or inside an object stream. */
export type XrefEntry =
  | { readonly kind: 'free' }
  | { readonly kind: 'offset'; readonly offset: number; readonly gen: number }
  | { readonly kind: 'compressed'; readonly stream: number; readonly index: number }

/** One cross-reference section: a table or a stream. */
export interface XrefSection {
  readonly style: 'table' | 'stream'
  /** The value of `startxref` or /Prev. */
  readonly offset: number
  /** First byte after the section: after the trailer dictionary, or after the stream object. */
  readonly end: number
  readonly trailer: PdfDict
  /** One more than the highest object number the section lists. */
  readonly limit: number
  /** The stream that completes a table for newer readers (/XRefStm). */
  readonly hybrid?: XrefSection
  /** The section's own entry of an object; undefined when it does not list it. */
  lookup(num: number): XrefEntry | undefined
  /** Object numbers the section lists itself, without its hybrid part. */
  numbers(): Iterable<number>
}

const FREE: XrefEntry = { kind: 'free' }
const ROW = 20

/** Rows of other than 20 bytes, read one by one: hardly any file has them. */
type OddRows = ReadonlyMap<number, XrefEntry>
const NONE: OddRows = new Map()

/** A run of rows: `count` objects from number `first`; `at` is the offset (tables) or number (streams) of the first row. */
interface Subsection {
  readonly first: number
  readonly count: number
  readonly at: number
}

/**
 * Reads the table at `xref`. Rows are looked up in the bytes: a map of all objects would cost more than everything else
 * in signing a file.
 */
export function readXrefTable(parser: ObjectParser, offset: number): Omit<XrefSection, 'hybrid'> {
  const { bytes } = parser
  const subsections: Subsection[] = []
  let odd = NONE
  for (;;) {
    parser.skipWhite()
    if (parser.keyword('trailer')) break
    const { first, count } = subsectionHeader(parser)
    const at = parser.pos
    parser.pos = at + count * ROW
    if (count > 0 && !(isRow(bytes, at) && isRow(bytes, parser.pos - ROW) && followsRows(parser))) {
      parser.pos = at
      odd = readOddRows(parser, first, count, odd)
    } else if (count > 0) subsections.push({ first, count, at })
  }
  parser.skipWhite()
  if (bytes[parser.pos] !== 0x3c || bytes[parser.pos + 1] !== 0x3c)
    throw damaged(parser.place, 'the trailer is no dictionary')
  const trailer = parser.dict()
  return {
    style: 'table',
    offset,
    end: parser.place,
    trailer,
    limit: subsections.reduce((most, { first, count }) => Math.max(most, first + count), highest(odd.keys())),
    lookup: rowLookup(bytes, subsections, odd),
    numbers: () => listedNumbers(subsections, odd),
  }
}

function subsectionHeader(parser: ObjectParser): { first: number; count: number } {
  const start = parser.place
  const first = parser.unsigned()
  parser.skipWhite()
  const count = parser.unsigned()
  if (first === undefined || count === undefined) throw damaged(start, 'the cross-reference table cannot be read')
  if (first + count > limits.objectNumber + 1) throw tooComplex('an object number is too high')
  if (count > parser.bytes.length / 18) throw damaged(start, 'the cross-reference table is longer than the file')
  parser.skipWhite()
  return { first, count }
}

/** Whether rows of 20 bytes end where the next part of the table begins; otherwise some row has another length. */
function followsRows(parser: ObjectParser): boolean {
  const end = parser.pos
  if (!isWhite(parser.bytes[end - 1])) return false
  parser.skipWhite()
  const next = parser.bytes[parser.pos]
  const fine = next === 0x74 || (next !== undefined && next >= 0x30 && next <= 0x39)
  parser.pos = end
  return fine
}

/** `nnnnnnnnnn ggggg n` and two bytes of line end. */
function isRow(bytes: Uint8Array, at: number): boolean {
  const type = bytes[at + 17]
  return (
    bytes[at + 10] === 0x20 && bytes[at + 16] === 0x20 && (type === 0x6e || type === 0x66) && isWhite(bytes[at + 18])
  )
}

function rowLookup(bytes: Uint8Array, subsections: readonly Subsection[], odd: OddRows) {
  const find = runFinder(subsections)
  return (num: number): XrefEntry | undefined => {
    const run = find(num)
    if (!run) return odd.get(num)
    const row = run.at + (num - run.first) * ROW
    if (!isRow(bytes, row)) throw damaged(row, 'a cross-reference row cannot be read')
    return entryOf(bytes[row + 17] === 0x6e, digits(bytes, row, 10), digits(bytes, row + 11, 5))
  }
}

/** Finds the run that lists a number: by bisection when the runs ascend, as they should, else linearly. */
function runFinder<Run extends { readonly first: number; readonly count: number }>(runs: readonly Run[]) {
  const ascending = runs.every((run, i) => i === 0 || run.first >= runs[i - 1]!.first + runs[i - 1]!.count)
  if (!ascending && runs.length > limits.unorderedRuns)
    throw tooComplex('too many unordered cross-reference subsections')
  const holds = (run: Run | undefined, num: number) =>
    run !== undefined && num >= run.first && num < run.first + run.count
  return (num: number): Run | undefined => {
    if (!ascending) return runs.find((run) => holds(run, num))
    let low = 0
    let high = runs.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (runs[middle]!.first <= num) low = middle
      else high = middle
    }
    return holds(runs[low], num) ? runs[low] : undefined
  }
}

function digits(bytes: Uint8Array, at: number, count: number): number {
  let value = 0
  for (let i = at; i < at + count; i++) {
    const digit = bytes[i]! - 0x30
    if (!(digit >= 0 && digit <= 9)) throw damaged(at, 'a cross-reference row cannot be read')
    value = value * 10 + digit
  }
  return value
}

// Some writers mark unused numbers as "in use at offset 0"; no object can be on the header.
const entryOf = (used: boolean, offset: number, gen: number): XrefEntry =>
  used && offset > 0 ? { kind: 'offset', offset, gen } : FREE

/** Reads rows one by one, in addition to those `known`. */
function readOddRows(parser: ObjectParser, first: number, count: number, known: OddRows): OddRows {
  const rows = known === NONE ? new Map<number, XrefEntry>() : (known as Map<number, XrefEntry>)
  for (let num = first; num < first + count; num++) {
    parser.skipWhite()
    const at = parser.place
    const offset = parser.unsigned()
    parser.skipWhite()
    const gen = parser.unsigned()
    parser.skipWhite()
    const used = parser.keyword('n')
    if (offset === undefined || gen === undefined || !(used || parser.keyword('f'))) {
      throw damaged(at, 'a cross-reference row cannot be read')
    }
    rows.set(num, entryOf(used, offset, gen))
  }
  return rows
}

function* listedNumbers(subsections: readonly Subsection[], odd: OddRows): Iterable<number> {
  for (const { first, count } of subsections) for (let num = first; num < first + count; num++) yield num
  yield* odd.keys()
}

function highest(numbers: Iterable<number>): number {
  let most = 0
  for (const num of numbers) most = Math.max(most, num + 1)
  return most
}

/** Reads a cross-reference stream (ISO 32000-1 §7.5.8) from its decoded rows. */
export function readXrefStream(
  stream: PdfStream,
  decode: (stream: PdfStream) => Uint8Array,
  { offset, end, fileLength }: { readonly offset: number; readonly end: number; readonly fileLength: number },
): XrefSection {
  const widths = fieldWidths(stream.dict, offset)
  const runs = indexRuns(stream.dict, offset)
  const data = decode(stream)
  const width = widths[0] + widths[1] + widths[2]
  const rows = runs.reduce((sum, { count }) => sum + count, 0)
  // A listed object costs more than a byte of the file, however well it is compressed; rows do not.
  if (rows > fileLength) throw tooComplex('the cross-reference stream lists more objects than the file has bytes')
  if (rows * width > data.length) throw damaged(offset, 'the cross-reference stream is too short')
  return {
    style: 'stream',
    offset,
    end,
    trailer: stream.dict,
    limit: runs.reduce((most, { first, count }) => Math.max(most, first + count), 0),
    lookup: streamRowLookup(data, widths, runs),
    numbers: () => listedNumbers(runs, NONE),
  }
}

function fieldWidths(trailer: PdfDict, offset: number): [number, number, number] {
  const widths = trailer.get('W')
  const fine = (width: unknown): width is number =>
    typeof width === 'number' && Number.isInteger(width) && width >= 0 && width <= 8
  if (!isArray(widths) || widths.length < 3 || !widths.slice(0, 3).every(fine))
    throw damaged(offset, '/W cannot be read')
  const [type, second, third] = widths as [number, number, number]
  if (type + second + third === 0) throw damaged(offset, '/W is empty')
  return [type, second, third]
}

/** The runs of /Index; `at` is the row number of the run's first object. */
function indexRuns(trailer: PdfDict, offset: number): Subsection[] {
  const index = trailer.get('Index') ?? [0, trailer.get('Size') ?? null]
  if (!isArray(index) || index.length % 2 !== 0) throw damaged(offset, '/Index cannot be read')
  const runs: Subsection[] = []
  let at = 0
  for (let i = 0; i < index.length; i += 2) {
    const [first, count] = [index[i], index[i + 1]]
    if (!isInteger(first) || !isInteger(count) || first < 0 || count < 0) throw damaged(offset, '/Index cannot be read')
    if (first + count > limits.objectNumber + 1) throw tooComplex('an object number is too high')
    if (count > 0) runs.push({ first, count, at })
    at += count
  }
  return runs
}

function streamRowLookup(data: Uint8Array, widths: readonly [number, number, number], runs: readonly Subsection[]) {
  const [typeWidth, secondWidth, thirdWidth] = widths
  const find = runFinder(runs)
  return (num: number): XrefEntry | undefined => {
    const run = find(num)
    if (!run) return undefined
    const at = (run.at + num - run.first) * (typeWidth + secondWidth + thirdWidth)
    const type = typeWidth === 0 ? 1 : bigEndian(data, at, typeWidth)
    const second = bigEndian(data, at + typeWidth, secondWidth)
    const third = bigEndian(data, at + typeWidth + secondWidth, thirdWidth)
    if (type === 1) return entryOf(true, second, third)
    // §7.5.8.3: an unknown type is a reference to the null object, like a free one.
    return type === 2 ? { kind: 'compressed', stream: second, index: third } : FREE
  }
}

function bigEndian(data: Uint8Array, at: number, width: number): number {
  let value = 0
  for (let i = at; i < at + width; i++) value = value * 256 + data[i]!
  return value
}
