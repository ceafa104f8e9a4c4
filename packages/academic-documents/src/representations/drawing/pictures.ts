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

/** Embeds a JPEG as it is, or a PNG laid on white. */
export function embedPicture(file: PdfFileWriter, picture: string, bytes: Buffer): EmbeddedPicture {
  const refused = (reason: string) => new RepresentationProblem('picture.unsupported', { picture, reason })
  if (isPng(bytes)) {
    const pixels = readPng(bytes)
    if (typeof pixels === 'string') throw refused(pixels)
    return embedded(pixels, file.addStream(imageEntries(pixels, '/DeviceRGB'), pixels.rgb))
  }
  const jpeg = readJpeg(bytes)
  if (typeof jpeg === 'string') throw refused(jpeg)
  return embedded(jpeg, file.addRaw({ ...imageEntries(jpeg, jpeg.colorSpace), Filter: '/DCTDecode' }, bytes))
}

interface Size {
  readonly width: number
  readonly height: number
}

const embedded = ({ width, height }: Size, object: ObjectNumber): EmbeddedPicture => ({ object, ratio: width / height })

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

function readJpeg(bytes: Buffer): (Size & { readonly colorSpace: string }) | string {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return 'it is neither a PNG nor a JPEG'
  for (let at = 2; at + 10 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (!FRAMES.has(bytes[at + 1]!)) continue
    const colorSpace = colorSpaces[bytes[at + 9]!]
    if (!colorSpace) return 'a JPEG must be grey or red, green and blue'
    if (bytes[at + 4] !== 8) return 'a JPEG must have eight bits for each colour'
    return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7), colorSpace }
  }
  return 'the JPEG is damaged'
}
