import { EngineError } from '../errors/engine-error.ts'
import { asBuffer, ObjectParser } from '../pdf/object-parser.ts'
import type { PdfView } from '../pdf/pdf-file.ts'
import { isArray, isDict, isInteger, isRef, isString, type PdfDict, type PdfObject } from '../pdf/pdf-object.ts'
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
export function signaturesInBytes(document: Uint8Array): readonly SalvagedSignature[] {
  const bytes = asBuffer(document)
  const found = new Map<number, SalvagedSignature>()
  let at = bytes.indexOf('/ByteRange')
  for (let tried = 0; at >= 0 && tried < MOST; tried++) {
    const signature = signatureAround(bytes, at)
    if (signature) found.set(signature.ranges.firstEnd, signature)
    at = bytes.indexOf('/ByteRange', at + 1)
  }
  return [...found.values()].sort((a, b) => a.ranges.end - b.ranges.end)
}

function signatureAround(bytes: Buffer, at: number): SalvagedSignature | undefined {
  const object = objectAround(bytes, at)
  if (!object) return undefined
  const { number } = object
  const dict = isEncrypted(bytes) ? withoutTexts(object.dict) : object.dict
  const [ranges, contents] = [rangesOf(dict.get('ByteRange')), dict.get('Contents')]
  if (!ranges || !isString(contents) || !contents.hex || ranges.end > bytes.length) return undefined
  if (contents.start !== ranges.firstEnd || contents.end !== ranges.secondStart) return undefined
  const coversFile = onlyWhite(bytes, ranges.end, bytes.length)
  return { name: nameOfField(bytes, number) ?? `object ${number}`, dict, ranges, contents, coversFile }
}

/** The indirect object that holds a position, if that is a dictionary. */
function objectAround(bytes: Buffer, at: number): { readonly dict: PdfDict; readonly number: string } | undefined {
  const head = bytes.lastIndexOf(' obj', at)
  if (head < 0 || at - head > REACH) return undefined
  const number = /(\d+) \d+$/.exec(bytes.toString('latin1', Math.max(0, head - 20), head))?.[1]
  const dict = parsed(bytes.subarray(0, at + REACH), head + ' obj'.length)
  return number !== undefined && isDict(dict) ? { dict, number } : undefined
}

function parsed(bytes: Buffer, at: number): PdfObject {
  try {
    return new ObjectParser(bytes, at, true).value()
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

const isEncrypted = (bytes: Buffer): boolean => bytes.includes('/Encrypt')

/** What an encrypted file says of a signature, save the signature itself, cannot be read without its structure. */
const withoutTexts = (dict: PdfDict): PdfDict =>
  new Map([...dict].filter(([key, value]) => key === 'Contents' || !isString(value)))

/** The name in the newest field that holds the signature, where it can be found. */
function nameOfField(bytes: Buffer, number: string): string | undefined {
  const value = bytes.lastIndexOf(`/V ${number} 0 R`)
  const field = value < 0 ? undefined : objectAround(bytes, value)
  const name = field?.dict.get('T')
  return isString(name) && !isEncrypted(bytes) ? decodeText(name) : undefined
}
