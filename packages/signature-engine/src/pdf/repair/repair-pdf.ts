import { EngineError } from '../../errors/engine-error.ts'
import { refusePdf } from '../errors.ts'
import { asBuffer } from '../object-parser.ts'
import { allPages } from '../page-tree.ts'
import { openPdf, type PdfFile } from '../pdf-file.ts'
import { isArray, isDict, isRef, isStream, isString, nameOf, type PdfDict, type PdfObject } from '../pdf-object.ts'
import { FoundObjects } from './found-objects.ts'
import { RewrittenFile } from './rewritten-file.ts'

/** What became of a file: nothing, because it is whole; or another file, and the objects that could not be found again. */
export type PdfRepair =
  | { readonly state: 'healthy' }
  | { readonly state: 'repaired'; readonly bytes: Buffer; readonly lost: readonly number[] }

/**
 * Rewrites a damaged PDF that nobody has signed, so that it can be signed: its objects are found by going through the
 * bytes, and written anew behind one cross-reference table. What it shows is for whoever signs it to look at: a repair
 * is a guess. A signed file is refused, because no signature outlives it, and so is an encrypted one.
 */
export function repairPdf(document: Uint8Array): PdfRepair {
  if (isHealthy(document)) return { state: 'healthy' }
  const bytes = fromHeader(document)
  const found = new FoundObjects(bytes)
  const trailer = trailerOf(found)
  if (found.trailers.some((dict) => (dict.get('Encrypt') ?? null) !== null)) throw refusePdf('pdf.repair-encrypted')
  for (const value of found.values()) if (isSignature(value)) throw refusePdf('pdf.repair-signed')
  const file = new RewrittenFile(found, trailer)
  const repaired = file.bytes(versionOf(bytes))
  const [problem] = problemsOf(repaired)
  if (problem) throw refusePdf('pdf.beyond-repair', { reason: problem.message }, problem)
  return { state: 'repaired', bytes: repaired, lost: [...file.lost].sort((a, b) => a - b) }
}

function isHealthy(document: Uint8Array): boolean {
  const [problem] = problemsOf(document)
  // What the reader understands and does not take is no damage.
  if (problem && !REPAIRABLE.has(problem.code)) throw problem
  return problem === undefined
}

const REPAIRABLE: ReadonlySet<string> = new Set(['pdf.damaged', 'pdf.junk-before-header', 'pdf.ambiguous'])

/** Why a file cannot be read, if it cannot: every object that it leads to is looked at. */
function problemsOf(document: Uint8Array): EngineError[] {
  try {
    const file = openPdf(document)
    readAll(file)
    if (allPages(file).length === 0) throw refusePdf('pdf.damaged', { offset: 0, reason: 'there are no pages' })
    return []
  } catch (error) {
    if (error instanceof EngineError) return [error]
    throw error
  }
}

function readAll(file: PdfFile): void {
  const seen = new Set<number>()
  const queue: PdfObject[] = [...file.trailer.values()]
  for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
    if (isArray(value)) queue.push(...value)
    else if (isDict(value)) queue.push(...value.values())
    else if (isStream(value)) queue.push(value.dict)
    else if (isRef(value) && !seen.has(value.num)) {
      seen.add(value.num)
      queue.push(file.object(value))
    }
  }
}

function fromHeader(document: Uint8Array): Buffer {
  const bytes = asBuffer(document)
  const at = bytes.subarray(0, HEADER_WITHIN).indexOf('%PDF-')
  if (at < 0) throw refusePdf('pdf.not-a-pdf')
  return bytes.subarray(at)
}

/** Where readers look for the header. */
const HEADER_WITHIN = 64 * 1024

const versionOf = (bytes: Buffer): string => /^%PDF-(\d\.\d)/.exec(bytes.toString('latin1', 0, 8))?.[1] ?? '1.7'

/** The last trailer that leads to a catalog, or the last catalog itself where there is none. */
function trailerOf(found: FoundObjects): PdfDict {
  const leads = (dict: PdfDict) => isCatalog(found.resolve(dict.get('Root')))
  const trailer = found.trailers.findLast(leads)
  if (trailer) return trailer
  const catalog = [...found.entries()].findLast(([, value]) => isCatalog(value))
  if (!catalog) throw refusePdf('pdf.beyond-repair', { reason: 'its catalog was not found' })
  return new Map([['Root', { kind: 'ref', num: catalog[0], gen: 0 }]])
}

const isCatalog = (value: PdfObject): boolean =>
  isDict(value) && nameOf(value.get('Type')) === 'Catalog' && isRef(value.get('Pages'))

/** What a signature looks like, whole or not. */
function isSignature(value: PdfObject): boolean {
  if (!isDict(value)) return false
  const isNamed = ['Sig', 'DocTimeStamp'].includes(nameOf(value.get('Type')) ?? '')
  return value.has('ByteRange') || (isNamed && isString(value.get('Contents')))
}
