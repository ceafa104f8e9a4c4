import { deflateSync } from 'node:zlib'
import { RepresentationProblem } from '../errors.ts'
import type { PdfFileWriter } from '../pdf/pdf-file-writer.ts'
import type { ObjectNumber } from '../pdf/syntax.ts'
import { isPng, readPng } from './png.ts'

/** A picture of the document. */
export interface EmbeddedPicture {
  readonly object: ObjectNumber
  /** Width by height. */
  readonly ratio: number
}

/** A picture ready to be put into any document. */
interface ReadPicture {
  readonly entries: Readonly<Record<string, string | number>>
  readonly data: Uint8Array
  readonly ratio: number
}

/** Embeds a JPEG as it is, or a PNG laid on white; both come in base64. */
export function embedPicture(file: PdfFileWriter, picture: string, base64: string): EmbeddedPicture {
  const read = kept.get(base64) ?? readPicture(Buffer.from(base64, 'base64'))
  if (typeof read === 'string') throw new RepresentationProblem('picture.unsupported', { picture, reason: read })
  keep(base64, read)
  return { object: file.addRaw(read.entries, read.data), ratio: read.ratio }
}

/** Pictures of templates, which are the same in every document: to read one takes longer than to draw all else. */
const kept = new Map<string, ReadPicture>()
const MOST_KEPT = 12

function keep(base64: string, read: ReadPicture): void {
  kept.delete(base64)
  kept.set(base64, read)
  // The one that was not asked for the longest.
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!)
}

/** The picture, or why it cannot be used. */
function readPicture(bytes: Buffer): ReadPicture | string {
  if (!isPng(bytes)) return readJpeg(bytes)
  const pixels = readPng(bytes)
  if (typeof pixels === 'string') return pixels
  const entries = { ...imageEntries(pixels, '/DeviceRGB'), Filter: '/FlateDecode' }
  return { entries, data: deflateSync(pixels.rgb), ratio: pixels.width / pixels.height }
}

interface Size {
  readonly width: number
  readonly height: number
}

const imageEntries = ({ width, height }: Size, colorSpace: string) => ({
  Type: '/XObject',
  Subtype: '/Image',
  Width: width,
  Height: height,
  BitsPerComponent: 8,
  ColorSpace: colorSpace,
})

/** The colours that fit the profile of the document; four inks do not. */
const colorSpaces: Readonly<Record<number, string>> = { 1: '/DeviceGray', 3: '/DeviceRGB' }

/** Frame headers of the kinds that PDF knows: baseline, extended and progressive (ITU-T T.81 table B.1). */
const FRAMES = new Set([0xc0, 0xc1, 0xc2])

function readJpeg(bytes: Buffer): ReadPicture | string {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return 'it is neither a PNG nor a JPEG'
  for (let at = 2; at + 10 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (!FRAMES.has(bytes[at + 1]!)) continue
    const colorSpace = colorSpaces[bytes[at + 9]!]
    if (!colorSpace) return 'a JPEG must be grey or red, green and blue'
    if (bytes[at + 4] !== 8) return 'a JPEG must have eight bits for each colour'
    const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)]
    if (height === 0 || width === 0) return 'the JPEG does not tell its size'
    const entries = { ...imageEntries({ width, height }, colorSpace), Filter: '/DCTDecode' }
    return { entries, data: bytes, ratio: width / height }
  }
  return 'the JPEG is damaged'
}
