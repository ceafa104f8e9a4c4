import { inflateSync } from 'node:zlib'
import { dict, name, type PdfObject, type PdfRef } from '../pdf/pdf-object.ts'
import { undoPngRows } from '../pdf/stream-filters.ts'
import type { Color } from './drawing.ts'
import { refusePades } from './errors.ts'
import { channelsBehind, decodeOver, imageEntries, pixelImage } from './pixel-image.ts'

/** An image ready to be written into a document. */
export interface EmbeddedImage {
  /** In pixels. */
  readonly width: number
  readonly height: number
  /** Whether its colours are inks (CMYK). */
  readonly hasInks: boolean
  write(add: (object: PdfObject) => PdfRef): PdfRef
  /** What is seen of it over a colour, where `seen` of it is seen: an image that needs no transparency. */
  over(behind: Color, seen: number): EmbeddedImage
}

/** Pixels of each side: a signature's picture has a few hundred. */
const MAX_SIDE = 8192
const MAX_BYTES = 128 * 1024 * 1024

/** Reads a PNG or a JPEG. */
export const embedImage = (file: Uint8Array): EmbeddedImage => readImage(file, embedPng, embedJpeg)

/** Its pixels across and down, without reading them. */
export const imageSize = (file: Uint8Array): Pick<EmbeddedImage, 'width' | 'height'> =>
  readImage(file, readPng, jpegFrame)

function readImage<Png, Jpeg>(file: Uint8Array, png: (bytes: Buffer) => Png, jpeg: (bytes: Buffer) => Jpeg) {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length)
  if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return png(bytes)
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return jpeg(bytes)
  throw unusable('the image is neither PNG nor JPEG')
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

const unusable = (reason: string) => refusePades('pades.appearance', { reason })

function requireSize(width: number, height: number): void {
  if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE)
    throw unusable('the image is empty or too large')
}

/** Channels of each PNG colour type, alpha included. */
const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

interface Png {
  readonly width: number
  readonly height: number
  readonly depth: number
  readonly colorType: number
  readonly palette: Buffer | undefined
  readonly transparency: Buffer | undefined
  readonly data: Buffer
}

function embedPng(bytes: Buffer): EmbeddedImage {
  const png = readPng(bytes)
  const { width, height, depth, colorType } = png
  const { color, alpha } = splitAlpha(png, pngSamples(png))
  const channels = colorType === 0 || colorType === 4 ? 1 : 3
  // PDF 1.4, and with it ISO 19005-1, knows no samples of 16 bits.
  const data = depth === 16 ? color.filter((_, at) => at % 2 === 0) : color
  return pixelImage({ width, height, channels, bits: colorType === 3 ? 8 : Math.min(depth, 8), data, alpha })
}

function readPng(bytes: Buffer): Png {
  let header: Omit<Png, 'palette' | 'transparency' | 'data'> | undefined
  let palette: Buffer | undefined
  let transparency: Buffer | undefined
  const data: Buffer[] = []
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const chunk = bytes.subarray(at + 8, at + 8 + length)
    if (chunk.length < length) break
    if (type === 'IHDR') header = pngHeader(chunk)
    else if (type === 'PLTE') palette = chunk
    else if (type === 'tRNS') transparency = chunk
    else if (type === 'IDAT') data.push(chunk)
    else if (type === 'IEND') break
    at += 12 + length
  }
  if (!header || data.length === 0 || (header.colorType === 3 && !palette)) throw unusable('the PNG cannot be read')
  return { ...header, palette, transparency, data: Buffer.concat(data) }
}

function pngHeader(chunk: Buffer): Omit<Png, 'palette' | 'transparency' | 'data'> {
  if (chunk.length < 13) throw unusable('the PNG cannot be read')
  const header = { width: chunk.readUInt32BE(0), height: chunk.readUInt32BE(4), depth: chunk[8]!, colorType: chunk[9]! }
  requireSize(header.width, header.height)
  if (chunk[12] !== 0) throw unusable('interlaced PNGs are not supported')
  if (channelsOf[header.colorType] === undefined || ![1, 2, 4, 8, 16].includes(header.depth))
    throw unusable('the PNG cannot be read')
  return header
}

/** Rows with the PNG filters undone. */
function pngSamples({ width, height, depth, colorType, data }: Png): Uint8Array {
  const bits = channelsOf[colorType]! * depth
  const rowBytes = Math.ceil((bits * width) / 8)
  if (rowBytes * height > MAX_BYTES) throw unusable('the image is empty or too large')
  let rows: Uint8Array
  try {
    rows = undoPngRows(
      inflateSync(data, { maxOutputLength: (rowBytes + 1) * height }),
      rowBytes,
      Math.max(1, bits >> 3),
    )
  } catch (cause) {
    throw refusePades('pades.appearance', { reason: 'the PNG cannot be read' }, cause)
  }
  if (rows.length < rowBytes * height) throw unusable('the PNG is truncated')
  return rows
}

/** PDF keeps transparency in an image of its own (ISO 32000-1 §11.6.5.3). */
function splitAlpha(png: Png, samples: Uint8Array): { color: Uint8Array; alpha: Uint8Array | undefined } {
  if (png.colorType === 3) return fromPalette(png, samples)
  if (png.colorType !== 4 && png.colorType !== 6) return { color: samples, alpha: undefined }
  const sampleBytes = png.depth / 8
  const colors = channelsOf[png.colorType]! - 1
  const pixels = png.width * png.height
  const color = new Uint8Array(pixels * colors * sampleBytes)
  const alpha = new Uint8Array(pixels)
  const pixelBytes = (colors + 1) * sampleBytes
  for (let i = 0; i < pixels; i++) {
    for (let b = 0; b < colors * sampleBytes; b++) color[i * colors * sampleBytes + b] = samples[i * pixelBytes + b]!
    alpha[i] = samples[i * pixelBytes + colors * sampleBytes]!
  }
  return { color, alpha }
}

function fromPalette(png: Png, samples: Uint8Array): { color: Uint8Array; alpha: Uint8Array | undefined } {
  const { width, height, depth, palette, transparency } = png
  const color = new Uint8Array(width * height * 3)
  const alpha = transparency ? new Uint8Array(width * height).fill(255) : undefined
  const rowBytes = Math.ceil((depth * width) / 8)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const bit = x * depth
      const byte = samples[y * rowBytes + (bit >> 3)]!
      const index = depth === 8 ? byte : (byte >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)
      const at = y * width + x
      for (let channel = 0; channel < 3; channel++) color[at * 3 + channel] = palette![index * 3 + channel] ?? 0
      if (alpha && index < transparency!.length) alpha[at] = transparency![index]!
    }
  }
  return { color, alpha }
}

const jpegSpaces: Readonly<Record<number, string>> = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' }

/** A JPEG is embedded unchanged: PDF supports its compression. Only its frame header is read. */
function embedJpeg(bytes: Buffer): EmbeddedImage {
  const { width, height, channels } = jpegFrame(bytes)
  requireSize(width, height)
  const space = jpegSpaces[channels]
  if (!space) throw unusable('the JPEG has an unknown number of colours')
  const hasInks = channels === 4
  const common = { Width: width, Height: height, ColorSpace: name(space), BitsPerComponent: 8 }
  const entries = imageEntries({ ...common, Filter: name('DCTDecode') })
  const shown = (decode: readonly number[] | undefined): EmbeddedImage => ({
    width,
    height,
    hasInks,
    write: (add) => add({ kind: 'stream', dict: dict({ ...entries, ...(decode && { Decode: decode }) }), raw: bytes }),
    over: (behind, seen) => shown(decodeOver(channelsBehind(behind, channels), seen, hasInks)),
  })
  // CMYK JPEGs are written inverted by the programs that make them.
  return shown(hasInks ? [1, 0, 1, 0, 1, 0, 1, 0] : undefined)
}

function jpegFrame(bytes: Buffer): { width: number; height: number; channels: number } {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1]!
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame)
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7), channels: bytes[at + 9]! }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  throw unusable('the JPEG cannot be read')
}
