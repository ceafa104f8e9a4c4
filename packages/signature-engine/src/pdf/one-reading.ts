// Whether a file is read alike by those who follow its cross-reference and by those who repair it: a reader that meets
// something it cannot find looks through the file for objects by itself, and takes the last one of each number.
import { ambiguous } from './errors.ts'
import { isWhite } from './object-parser.ts'
import type { PdfFile } from './pdf-file.ts'
import type { XrefSection } from './xref-section.ts'

/** Readers look for `startxref` in so many bytes at the end, and repair the file when it is not there. */
const TAIL = 1024

/** Refuses a file whose cross-reference itself can be read in two ways. */
export function requirePlainReferences(file: PdfFile): void {
  const bytes = wholeOf(file)
  if (bytes.lastIndexOf('startxref') < bytes.length - TAIL)
    throw ambiguous('startxref is too far from the end of the file')
  for (const section of sectionsOf(file)) requireEachOnce(section)
}

const wholeOf = ({ source }: PdfFile): Buffer => source.read(0, source.length)

/** Newest first, each before its hybrid part. */
function sectionsOf({ revisions }: PdfFile): readonly XrefSection[] {
  const sections = revisions.toReversed().flatMap(({ sections }) => sections)
  return sections.flatMap((section) => (section.hybrid ? [section, section.hybrid] : [section]))
}

function requireEachOnce(section: XrefSection): void {
  const seen = new Set<number>()
  for (const num of section.numbers()) {
    if (seen.has(num)) throw ambiguous(`the cross-reference lists object ${num} twice`)
    seen.add(num)
  }
}

/**
 * Numbers that a table calls free and the stream that completes it does not (ISO 32000-1 §7.5.8.4). By the book they are
 * there; many readers believe the table.
 */
export function hiddenNumbers(file: PdfFile): ReadonlySet<number> {
  const hidden = new Set<number>()
  for (const { sections } of file.revisions)
    for (const { hybrid, lookup } of sections)
      for (const num of hybrid?.numbers() ?? [])
        if (lookup(num)?.kind === 'free' && hybrid?.lookup(num)?.kind !== 'free') hidden.add(num)
  return hidden
}

/**
 * Refuses a file that a repair would turn into another document. `missing` are numbers that are referred to and that the
 * cross-reference does not have, `used` those of the objects the document is made of.
 */
export function requireSameWhenRepaired(file: PdfFile, missing: ReadonlySet<number>, used: Iterable<number>): void {
  if (missing.size === 0) return
  const bytes = wholeOf(file)
  const last = lastObjects(bytes)
  for (const num of missing)
    if (last.has(num)) throw ambiguous(`object ${num} is in the file, and the cross-reference does not have it`)
  for (const num of used) {
    const entry = file.entry(num)
    const found = last.get(num)
    const place = entry?.kind === 'offset' ? afterWhite(bytes, entry.offset) : undefined
    if (found !== undefined && found !== place)
      throw ambiguous(`object ${num} is in the file several times, and references in it lead nowhere`)
  }
}

function afterWhite(bytes: Uint8Array, offset: number): number {
  let at = offset
  while (isWhite(bytes[at])) at++
  return at
}

/** Where the last `n g obj` of each number stands, wherever it stands. */
function lastObjects(bytes: Uint8Array): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let at = buffer.indexOf('obj'); at >= 0; at = buffer.indexOf('obj', at + 3)) {
    const generation = numberBefore(buffer, at)
    const number = generation && numberBefore(buffer, generation.start)
    if (number) found.set(number.value, number.start)
  }
  return found
}

/** The digits that end before `end`, white space between; nothing when something else stands there. */
function numberBefore(bytes: Buffer, end: number): { readonly value: number; readonly start: number } | undefined {
  let last = end
  while (isWhite(bytes[last - 1])) last--
  let start = last
  while (last - start < 10 && isDigit(bytes[start - 1])) start--
  return start === last || last === end ? undefined : { value: Number(bytes.toString('latin1', start, last)), start }
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39
