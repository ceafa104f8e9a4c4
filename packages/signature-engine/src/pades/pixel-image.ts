// Images as pixels, and what is seen of them where nothing may be seen through.
import { deflateSync } from 'node:zlib'
import { dict, name, type PdfObject, type PdfRef } from '../pdf/pdf-object.ts'
import type { Color } from './drawing.ts'
import type { EmbeddedImage } from './embedded-image.ts'

/** Samples from the top left, row by row. */
interface Pixels {
  readonly width: number
  readonly height: number
  readonly channels: 1 | 3
  /** Of a sample; with `alpha` always 8. */
  readonly bits: number
  readonly data: Uint8Array
  /** A byte of each pixel: 0 shows nothing. */
  readonly alpha: Uint8Array | undefined
  /** What the least and the greatest sample of each channel stand for. Default 0 and 1. */
  readonly decode?: readonly number[]
}

export const imageEntries = (entries: Readonly<Record<string, PdfObject>>): Record<string, PdfObject> => ({
  Type: name('XObject'),
  Subtype: name('Image'),
  ...entries,
})

export const pixelImage = (pixels: Pixels): EmbeddedImage => ({
  width: pixels.width,
  height: pixels.height,
  hasInks: false,
  write: (add) => writePixels(pixels, add),
  over: (behind, seen) => pixelImage(overColor(pixels, behind, seen)),
})

function overColor(pixels: Pixels, behind: Color, seen: number): Pixels {
  if (pixels.alpha) return flattened(pixels, behind, seen)
  const staysGrey = behind.red === behind.green && behind.green === behind.blue
  if (pixels.channels === 1 && seen < 1 && !staysGrey) return flattened(inBytes(pixels), behind, seen)
  return mapped(pixels, behind, seen)
}

/** Grey samples as bytes. */
function inBytes(pixels: Pixels): Pixels {
  const { width, height, bits, data } = pixels
  if (bits === 8) return pixels
  const [row, most] = [Math.ceil((width * bits) / 8), 2 ** bits - 1]
  const sample = (x: number, y: number) => (data[y * row + ((x * bits) >> 3)]! >> (8 - bits - ((x * bits) & 7))) & most
  const bytes = Uint8Array.from({ length: width * height }, (_, at) =>
    Math.round((255 * sample(at % width, Math.floor(at / width))) / most),
  )
  return { ...pixels, bits: 8, data: bytes }
}

function writePixels({ channels, bits, data, alpha, decode, ...size }: Pixels, add: (object: PdfObject) => PdfRef) {
  const space = channels === 3 ? 'DeviceRGB' : 'DeviceGray'
  // PDF keeps transparency in an image of its own (ISO 32000-1 §11.6.5.3).
  const mask = alpha && add(imageStream(size, 'DeviceGray', 8, alpha))
  return add(imageStream(size, space, bits, data, { ...(decode && { Decode: decode }), ...(mask && { SMask: mask }) }))
}

const imageStream = (
  { width, height }: Pick<Pixels, 'width' | 'height'>,
  space: string,
  bits: number,
  data: Uint8Array,
  more: Readonly<Record<string, PdfObject>> = {},
): PdfObject => ({
  kind: 'stream',
  dict: dict({
    ...imageEntries({ Width: width, Height: height, ColorSpace: name(space), BitsPerComponent: bits }),
    Filter: name('FlateDecode'),
    ...more,
  }),
  raw: deflateSync(data),
})

const mapped = (pixels: Pixels, behind: Color, seen: number): Pixels => ({
  ...pixels,
  decode: decodeOver(channelsBehind(behind, pixels.channels), seen),
})

/** /Decode (ISO 32000-1 §8.9.5.2) that mixes each sample with what is behind it, the pixels staying as they are. */
export function decodeOver(behind: readonly number[], seen: number, isInverted = false): readonly number[] {
  return behind.flatMap((under) => {
    const [least, greatest] = [under * (1 - seen), seen + under * (1 - seen)]
    return isInverted ? [greatest, least] : [least, greatest]
  })
}

/** A colour in the channels of an image: grey, light or inks. Grey JPEGs stay grey over a colour. */
export function channelsBehind({ red, green, blue }: Color, channels: number): readonly number[] {
  if (channels === 4) return [1 - red, 1 - green, 1 - blue, 0]
  return channels === 3 ? [red, green, blue] : [0.299 * red + 0.587 * green + 0.114 * blue]
}

/** A grey image over a colour has colours, too. */
function flattened({ width, height, channels, data, alpha }: Pixels, behind: Color, seen: number): Pixels {
  const under = channelsBehind(behind, 3).map((channel) => channel * 255)
  const flat = new Uint8Array(width * height * 3)
  for (let at = 0; at < width * height; at++) {
    const part = (alpha ? alpha[at]! / 255 : 1) * seen
    for (let channel = 0; channel < 3; channel++) {
      const over = data[channels === 3 ? at * 3 + channel : at]!
      flat[at * 3 + channel] = Math.round(over * part + under[channel]! * (1 - part))
    }
  }
  return { width, height, channels: 3, bits: 8, data: flat, alpha: undefined }
}
