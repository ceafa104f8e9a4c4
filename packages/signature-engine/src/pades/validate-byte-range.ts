import { isWhite } from '../pdf/object-parser.ts'
import type { PdfFile, PdfRevision } from '../pdf/pdf-file.ts'
import { isArray, isInteger, isString, type PdfDict, type PdfObject, type PdfString } from '../pdf/pdf-object.ts'
import { type PdfSource, pieces } from '../pdf/pdf-source.ts'
import { type Finding, finding } from '../report/report.ts'

/** The two byte ranges that a signature claims to cover: from 0 to `firstEnd`, and from `secondStart` to `end`. */
export interface SignedRanges {
  readonly firstEnd: number
  readonly secondStart: number
  readonly end: number
}

/** The result of checking /ByteRange and /Contents of a signature dictionary. */
export interface Coverage {
  /** Null when there are no four usable numbers. */
  readonly ranges: SignedRanges | null
  readonly contents: PdfString | null
  /** The revision that the signature covers exactly; null when it covers something else. */
  readonly revision: PdfRevision | null
  /** Why not. */
  readonly findings: readonly Finding[]
}

/**
 * The acceptance rule for /ByteRange: four integers, the first 0, no overlap, the gap exactly the `<hex>` token of this
 * very /Contents, the end exactly the end of the revision that holds the token. Anything less leaves room in the file
 * for unsigned bytes.
 */
export function coverageOf(file: PdfFile, signature: PdfDict): Coverage {
  const contents = contentsOf(file.resolve(signature.get('Contents')))
  const ranges = rangesOf(file, signature.get('ByteRange'))
  const revision = typeof contents === 'string' ? undefined : revisionOf(file, contents.start)
  const findings = [
    ...(typeof contents === 'string' ? [finding('pdf.universal-forgery', { reason: contents })] : []),
    ...(typeof ranges === 'string' ? rangeFindings(ranges, contents, file.resolve(signature.get('ByteRange'))) : []),
  ]
  if (typeof contents !== 'string' && typeof ranges !== 'string') {
    findings.push(...gapFindings(contents, ranges), ...endFindings(file, ranges, revision))
  }
  return {
    ranges: typeof ranges === 'string' ? null : ranges,
    contents: typeof contents === 'string' ? null : contents,
    revision: findings.length === 0 && revision ? revision : null,
    findings,
  }
}

/** The signature's bytes, or why there are none. */
function contentsOf(value: PdfObject): PdfString | string {
  if (value === null) return '/Contents is missing'
  if (!isString(value)) return '/Contents is no string'
  if (value.bytes.every((byte) => byte === 0)) return '/Contents is empty'
  return value
}

const BEYOND = '/ByteRange goes beyond the end of the file'

/** The ranges, or what is wrong with the numbers. */
function rangesOf(file: PdfFile, value: PdfObject | undefined): SignedRanges | string {
  const list = file.resolve(value)
  if (list === null) return '/ByteRange is missing'
  if (!isArray(list) || list.length === 0) return '/ByteRange is no list of numbers'
  const numbers = list.slice(0, 5).map((number) => file.resolve(number))
  if (numbers.length !== 4 || !numbers.every(isInteger)) return '/ByteRange is not four integers'
  const [start, length, secondStart, secondLength] = numbers as [number, number, number, number]
  if (start !== 0) return '/ByteRange does not begin at the first byte'
  if (length <= 0 || secondLength <= 0) return '/ByteRange has an empty part'
  if (secondStart <= length) return 'the parts of /ByteRange overlap'
  const end = secondStart + secondLength
  if (end > file.source.length) return BEYOND
  return { firstEnd: length, secondStart, end }
}

function rangeFindings(reason: string, contents: PdfString | string, list: PdfObject): Finding[] {
  const malformed = finding('pdf.byte-range-malformed', { reason })
  // A file that lost its end on the way has the ranges of an honest signature still; nobody emptied them.
  if (reason === BEYOND && typeof contents !== 'string' && isGapOf(contents, list)) return [malformed]
  return [finding('pdf.universal-forgery', { reason }), malformed]
}

const isGapOf = ({ start, end, hex }: PdfString, list: PdfObject): boolean =>
  hex && isArray(list) && list[1] === start && list[2] === end

/** The revision whose bytes hold a position; the numbers of revisions ascend with their bytes. */
function revisionOf({ revisions }: PdfFile, at: number | undefined): PdfRevision | undefined {
  return at === undefined ? undefined : revisions.find(({ start, end }) => start <= at && at < end)
}

function gapFindings(contents: PdfString, { firstEnd, secondStart }: SignedRanges): Finding[] {
  const { start, end, hex } = contents
  if (start === undefined || end === undefined || !hex) {
    return [finding('pdf.byte-range-gap', { reason: '/Contents is no hexadecimal string of the file itself' })]
  }
  if (firstEnd === start && secondStart === end) return []
  const details = { gapStart: firstEnd, gapEnd: secondStart, contentsStart: start, contentsEnd: end }
  const smaller = firstEnd >= start && secondStart <= end
  return [
    finding('pdf.byte-range-gap', details),
    // More than the signature is left out: the room that wrapping needs.
    ...(smaller ? [] : [finding('pdf.signature-wrapping', details)]),
  ]
}

function endFindings(file: PdfFile, { end }: SignedRanges, revision: PdfRevision | undefined): Finding[] {
  if (revision && endsAt(file, revision, end)) return []
  // The newest cross-reference is within the signed bytes, but is not the one that the signature ends with.
  const hidden = end < file.source.length && file.section.offset < end
  return [
    hidden
      ? finding('pdf.shadow-hide-and-replace', { reason: 'a cross-reference hidden in the signed bytes is used' })
      : finding('pdf.incremental-saving', { reason: 'the signature does not end with its revision', signedTo: end }),
  ]
}

/** Whether the range ends with the revision; white space after `%%EOF` may be signed or not. */
function endsAt(file: PdfFile, { markerEnd, end: revisionEnd, closed }: PdfRevision, end: number): boolean {
  if (!closed || end < markerEnd) return false
  return end <= revisionEnd || onlyWhite(file.source, revisionEnd, end)
}

/** Whether there is only white space between two positions. */
export function onlyWhite(source: PdfSource, from: number, to: number): boolean {
  for (const piece of pieces(source, from, to)) if (!piece.every(isWhite)) return false
  return true
}
