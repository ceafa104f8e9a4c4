import { inflateSync } from 'node:zlib'
import { refusePdf, tooComplex } from './errors.ts'
import { limits } from './limits.ts'
import { isArray, isDict, isInteger, nameOf, type PdfDict, type PdfObject } from './pdf-object.ts'

type Resolve = (value: PdfObject | undefined) => PdfObject

/** Undoes one filter; `maxBytes` limits the output. */
type Filter = (data: Uint8Array, maxBytes: number) => Uint8Array

/**
 * The filters of structural streams: cross-references, objects, evidence. Image filters are missing, because no image
 * must be decoded in order to sign or validate a file.
 */
const filters: Readonly<Record<string, Filter>> = {
  FlateDecode: inflate,
  Fl: inflate,
  ASCIIHexDecode: asciiHex,
  AHx: asciiHex,
  ASCII85Decode: ascii85,
  A85: ascii85,
  // Names the method of encryption, which has been undone before (ISO 32000-2 §7.4.10).
  Crypt: (data) => data,
}

/** Undoes all filters of a stream, within the limits. */
export function decodeFilters(stream: PdfDict, raw: Uint8Array, resolve: Resolve, maxBytes: number): Uint8Array {
  const names = listOf(resolve(stream.get('Filter')), resolve)
  const parameters = listOf(resolve(stream.get('DecodeParms')), resolve)
  if (names.length > limits.filters) throw tooComplex('a stream has too many filters')
  let data = raw
  names.forEach((filterName, index) => {
    const text = nameOf(filterName) ?? ''
    const filter = Object.hasOwn(filters, text) ? filters[text] : undefined
    if (!filter) throw refusePdf('pdf.unsupported', { reason: `the stream filter ${text}` })
    data = undoPredictor(filter(data, maxBytes), parameters[index], resolve)
  })
  return data
}

function listOf(value: PdfObject, resolve: Resolve): PdfObject[] {
  if (value === null) return []
  return isArray(value) ? value.slice(0, limits.filters + 1).map(resolve) : [value]
}

function inflate(data: Uint8Array, maxBytes: number): Uint8Array {
  try {
    return inflateSync(data, { maxOutputLength: Math.max(maxBytes, 1) })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw tooComplex('a stream decodes to too many bytes')
    throw refusePdf('pdf.damaged', { offset: data.byteOffset, reason: 'compressed data cannot be read' }, cause)
  }
}

function asciiHex(data: Uint8Array): Uint8Array {
  const end = data.indexOf(0x3e)
  const digits = Buffer.from(end < 0 ? data : data.subarray(0, end))
    .toString('latin1')
    .replace(/[\0\t\n\f\r ]/g, '')
  if (/[^0-9a-fA-F]/.test(digits)) throw unreadable('hexadecimal')
  return Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex')
}

function ascii85(data: Uint8Array): Uint8Array {
  const text = Buffer.from(data)
    .toString('latin1')
    .replace(/[\0\t\n\f\r ]/g, '')
  const end = text.indexOf('~')
  const digits = (end < 0 ? text : text.slice(0, end)).replaceAll('z', '!!!!!')
  if (/[^!-u]/.test(digits) || digits.length % 5 === 1) throw unreadable('base-85')
  const out = Buffer.alloc(Math.ceil(digits.length / 5) * 4)
  const padded = digits.padEnd(Math.ceil(digits.length / 5) * 5, 'u')
  for (let group = 0; group * 5 < padded.length; group++) {
    let value = 0
    for (let i = 0; i < 5; i++) value = value * 85 + padded.charCodeAt(group * 5 + i) - 33
    if (value > 0xffffffff) throw unreadable('base-85')
    out.writeUInt32BE(value, group * 4)
  }
  return out.subarray(0, out.length - (padded.length - digits.length))
}

const unreadable = (what: string) =>
  refusePdf('pdf.damaged', { offset: 0, reason: `${what} stream data cannot be read` })

/** ISO 32000-1 §7.4.4.4. PNG predictors only: the TIFF one serves images. */
function undoPredictor(data: Uint8Array, parameters: PdfObject | undefined, resolve: Resolve): Uint8Array {
  if (!isDict(parameters)) return data
  const number = (key: string, otherwise: number) => {
    const value = resolve(parameters.get(key))
    return isInteger(value) ? value : otherwise
  }
  const predictor = number('Predictor', 1)
  if (predictor === 1) return data
  if (predictor < 10 || predictor > 15) throw refusePdf('pdf.unsupported', { reason: `the predictor ${predictor}` })
  const bits = number('Colors', 1) * number('BitsPerComponent', 8)
  const rowBytes = Math.ceil((bits * number('Columns', 1)) / 8)
  if (!(bits > 0 && rowBytes > 0 && rowBytes <= limits.decodedStream)) throw unreadable('predicted')
  return undoPngRows(data, rowBytes, Math.max(1, bits >> 3))
}

/** Undoes PNG filters: each row begins with the byte that names its filter. */
export function undoPngRows(data: Uint8Array, rowBytes: number, pixelBytes: number): Uint8Array {
  const rows = Math.ceil(data.length / (rowBytes + 1))
  const out = new Uint8Array(rows * rowBytes)
  let length = 0
  for (let row = 0; row < rows; row++) {
    const source = row * (rowBytes + 1)
    const count = Math.min(rowBytes, data.length - source - 1)
    const start = row * rowBytes
    undoPngRow(data, source, out, start, count, rowBytes, pixelBytes)
    length = start + count
  }
  return out.subarray(0, length)
}

function undoPngRow(
  data: Uint8Array,
  source: number,
  out: Uint8Array,
  start: number,
  count: number,
  rowBytes: number,
  pixelBytes: number,
): void {
  const predict = pngPredictors[data[source]!]
  if (!predict) throw unreadable('predicted')
  const firstRow = start === 0
  for (let i = 0; i < count; i++) {
    const at = start + i
    const left = i >= pixelBytes ? out[at - pixelBytes]! : 0
    const up = firstRow ? 0 : out[at - rowBytes]!
    const upLeft = firstRow || i < pixelBytes ? 0 : out[at - rowBytes - pixelBytes]!
    out[at] = data[source + 1 + i]! + predict(left, up, upLeft)
  }
}

/** PNG filter types 0 to 4: none, sub, up, average, Paeth. */
const pngPredictors: readonly ((left: number, up: number, upLeft: number) => number)[] = [
  () => 0,
  (left) => left,
  (_left, up) => up,
  (left, up) => (left + up) >> 1,
  paeth,
]

function paeth(left: number, up: number, upLeft: number): number {
  const estimate = left + up - upLeft
  const byLeft = Math.abs(estimate - left)
  const byUp = Math.abs(estimate - up)
  const byUpLeft = Math.abs(estimate - upLeft)
  if (byLeft <= byUp && byLeft <= byUpLeft) return left
  return byUp <= byUpLeft ? up : upLeft
}
