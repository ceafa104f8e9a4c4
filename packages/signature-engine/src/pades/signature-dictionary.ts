import { writeObject } from '../pdf/object-writer.ts'
import { dict, name, type PdfObject } from '../pdf/pdf-object.ts'

/** Digits of each /ByteRange number: written after the layout is known, so their place is of fixed width (10 GB). */
const NUMBER_WIDTH = 10

/** What a signature dictionary says besides /ByteRange and /Contents: values as PDF text, in the order they are written. */
export type SignatureEntries = Readonly<Record<string, string>>

/** A signature dictionary as text before and after the digits of /Contents, and the offsets of numbers and gap. */
export interface SignatureDictionary {
  readonly before: string
  /** Bytes for the signature: two digits each. */
  readonly room: number
  readonly after: string
  readonly numbersAt: number
  readonly holeStart: number
  readonly holeEnd: number
}

/** Names of the two kinds of PDF signature dictionaries: the ETSI one, and the one ICP-Brasil's policies require. */
export const signatureNames = {
  etsi: { Filter: '/Adobe.PPKLite', SubFilter: '/ETSI.CAdES.detached' },
  'icp-brasil-strict': { Filter: '/PBAD_PAdES', SubFilter: '/PBAD.PAdES' },
} as const satisfies Record<string, SignatureEntries>

/** Names of a document timestamp (ISO 32000-2 §12.8.5). */
export const timestampNames: SignatureEntries = { Filter: '/Adobe.PPKLite', SubFilter: '/ETSI.RFC3161' }

const NUMBERS_PLACE = ' '.repeat(3 * NUMBER_WIDTH + 2)

/** Lays out a signature dictionary with `room` bytes for the signature. */
export function signatureDictionary(
  type: 'Sig' | 'DocTimeStamp',
  entries: SignatureEntries,
  room: number,
): SignatureDictionary {
  let before = `<</Type /${type}\n`
  for (const key in entries) before += `/${key} ${entries[key]}\n`
  before += '/ByteRange [0 '
  const numbersAt = before.length
  before += `${NUMBERS_PLACE}]\n/Contents <`
  const holeStart = before.length - 1
  return { before, room, after: '>\n>>', numbersAt, holeStart, holeEnd: holeStart + 2 * room + 2 }
}

/** The three numbers after the first zero: end of the first range, start and length of the second. */
export function byteRangeNumbers(holeStart: number, holeEnd: number, fileEnd: number): string {
  return `${wide(holeStart)} ${wide(holeEnd)} ${wide(fileEnd - holeEnd)}`
}

const wide = (value: number): string => String(value).padEnd(NUMBER_WIDTH)

/**
 * One entry of a signature's /Reference, as text: what may be changed after it (DocMDP), or which fields may not
 * (FieldMDP). The official validator looks for every entry of it (signature-engine facts 3.1).
 */
export const signatureReference = (
  method: 'DocMDP' | 'FieldMDP',
  parameters: Readonly<Record<string, PdfObject>>,
): string =>
  writeObject(
    dict({
      Type: name('SigRef'),
      TransformMethod: name(method),
      TransformParams: dict({ Type: name('TransformParams'), ...parameters, V: name('1.2') }),
    }),
  )
