import { EngineError } from '../errors/engine-error.ts'
import { ObjectParser } from '../pdf/object-parser.ts'
import type { PdfView } from '../pdf/pdf-file.ts'
import { isArray, isDict, isInteger, isRef, isString, type PdfDict, type PdfObject } from '../pdf/pdf-object.ts'
import type { PdfSource } from '../pdf/pdf-source.ts'
import { decodeText } from '../pdf/text-string.ts'
import { onlyWhite, type SignedRanges } from './validate-byte-range.ts'

/** A signature whose own bytes are whole, in a file that cannot be read otherwise. */
export interface SalvagedSignature {
  readonly name: string
  readonly dict: PdfDict
  readonly ranges: SignedRanges
  readonly contents: Extract<PdfObject, { kind: 'string' }>
  /** Whether nothing but white space follows what it covers. */
  readonly coversFile: boolean
}

/** Signatures looked for in one file, and how far around /ByteRange its dictionary may reach. */
const MOST = 200
const REACH = 2 * 1024 * 1024

/** Values as they stand; what a reference leads to is what cannot be read here. */
export const inPlace: Pick<PdfView, 'resolve'> = { resolve: (value) => (isRef(value) ? null : (value ?? null)) }

/**
 * Signatures found by their bytes alone, without the file's structure: dictionaries whose /ByteRange leaves out exactly
 * their own /Contents. Such a signature can be checked; what the file shows around it cannot, so none of them is valid.
 */
export function signaturesInBytes(source: PdfSource): readonly SalvagedSignature[] {
  const found = new Map<number, SalvagedSignature>()
  const isEncrypted = placesOf(source, '/Encrypt').next().done === false
  let tried = 0
  for (const at of placesOf(source, '/ByteRange')) {
    if (++tried > MOST) break
    const signature = signatureAround(source, at, isEncrypted)
    if (signature) found.set(signature.ranges.firstEnd, signature)
  }
  return [...found.values()].sort((a, b) => a.ranges.end - b.ranges.end)
}

/** Where a word stands in a file; the pieces that are searched overlap by it. */
function* placesOf(source: PdfSource, word: string): Generator<number> {
  for (let start = 0; start < source.length; start += REACH) {
    const bytes = source.read(start, Math.min(source.length, start + REACH + word.length - 1))
    for (let at = bytes.indexOf(word); at >= 0; at = bytes.indexOf(word, at + 1)) yield start + at
  }
}

function signatureAround(source: PdfSource, at: number, isEncrypted: boolean): SalvagedSignature | undefined {
  const base = Math.max(0, at - REACH)
  const bytes = source.read(base, Math.min(source.length, at + REACH))
  const object = objectAround(bytes, at - base, base)
  if (!object) return undefined
  const { number } = object
  const dict = isEncrypted ? withoutTexts(object.dict) : object.dict
  const [ranges, contents] = [rangesOf(dict.get('ByteRange')), dict.get('Contents')]
  if (!ranges || !isString(contents) || !contents.hex || ranges.end > source.length) return undefined
  if (contents.start !== ranges.firstEnd || contents.end !== ranges.secondStart) return undefined
  const coversFile = onlyWhite(source, ranges.end, source.length)
  const name = isEncrypted ? undefined : nameOfField(bytes, number)
  return { name: name ?? `object ${number}`, dict, ranges, contents, coversFile }
}

/** The indirect object that holds a position, if that is a dictionary. */
function objectAround(
  bytes: Buffer,
  at: number,
  base = 0,
): { readonly dict: PdfDict; readonly number: string } | undefined {
  const head = bytes.lastIndexOf(' obj', at)
  if (head < 0) return undefined
  const number = /(\d+) \d+$/.exec(bytes.toString('latin1', Math.max(0, head - 20), head))?.[1]
  const dict = parsed(bytes, head + ' obj'.length, base)
  return number !== undefined && isDict(dict) ? { dict, number } : undefined
}

function parsed(bytes: Buffer, at: number, base: number): PdfObject {
  try {
    return new ObjectParser(bytes, at, true, base).value()
  } catch (error) {
    if (error instanceof EngineError) return null
    throw error
  }
}

function rangesOf(value: PdfObject | undefined): SignedRanges | undefined {
  if (!isArray(value) || value.length !== 4 || !value.every(isInteger)) return undefined
  const [start, firstEnd, secondStart, length] = value as readonly [number, number, number, number]
  return start === 0 && firstEnd < secondStart && length > 0
    ? { firstEnd, secondStart, end: secondStart + length }
    : undefined
}

/** What an encrypted file says of a signature, save the signature itself, cannot be read without its structure. */
const withoutTexts = (dict: PdfDict): PdfDict =>
  new Map([...dict].filter(([key, value]) => key === 'Contents' || !isString(value)))

/** The name in the last field near it that holds the signature, if there is one. */
function nameOfField(bytes: Buffer, number: string): string | undefined {
  const value = bytes.lastIndexOf(`/V ${number} 0 R`)
  const field = value < 0 ? undefined : objectAround(bytes, value)
  const name = field?.dict.get('T')
  return isString(name) ? decodeText(name) : undefined
}
