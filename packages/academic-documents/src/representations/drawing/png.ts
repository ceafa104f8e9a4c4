import { inflateSync } from 'node:zlib'

/** A picture as red, green and blue bytes, row by row from the top. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly rgb: Buffer
}

/** Larger ones are no logo and no background of a page. */
const MAX_PIXELS = 25_000_000

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export const isPng = (bytes: Buffer): boolean => bytes.subarray(0, 8).equals(SIGNATURE)

/** How many values each pixel has, by the colour type of the header (PNG §11.2.2). */
const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

interface Header {
  readonly width: number
  readonly height: number
  readonly depth: number
  readonly type: number
  readonly channels: number
}

/** Reads a PNG and lays it on white paper: PDF/A-1 has no transparent pictures. Returns why not where it cannot. */
export function readPng(bytes: Buffer): Pixels | string {
  try {
    const chunks = chunksOf(bytes)
    const header = headerOf(chunks.get('IHDR')?.[0])
    if (typeof header === 'string') return header
    const { width, height } = header
    const rowBytes = Math.ceil((width * header.channels * header.depth) / 8)
    const data = inflateSync(Buffer.concat(chunks.get('IDAT') ?? []), { maxOutputLength: (rowBytes + 1) * height })
    if (data.length !== (rowBytes + 1) * height) return 'its data is incomplete'
    const rows = unfiltered(data, rowBytes, height, Math.max(1, (header.channels * header.depth) >> 3))
    return { width, height, rgb: onWhite(rows, rowBytes, header, chunks.get('PLTE')?.[0], chunks.get('tRNS')?.[0]) }
  } catch {
    // Whatever a damaged file makes zlib or a read beyond its end say, it is one thing to the person who sent it.
    return 'the PNG is damaged'
  }
}

function chunksOf(bytes: Buffer): Map<string, Buffer[]> {
  const chunks = new Map<string, Buffer[]>()
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const name = bytes.toString('latin1', at + 4, at + 8)
    chunks.set(name, [...(chunks.get(name) ?? []), bytes.subarray(at + 8, at + 8 + length)])
    at += 12 + length
  }
  return chunks
}

function headerOf(data: Buffer | undefined): Header | string {
  if (data?.length !== 13) return 'the PNG has no header'
  const [width, height, depth, type] = [data.readUInt32BE(0), data.readUInt32BE(4), data[8]!, data[9]!]
  const channels = channelsOf[type]
  if (channels === undefined || width === 0 || height === 0) return 'the PNG is damaged'
  if (width * height > MAX_PIXELS) return `it has more than ${MAX_PIXELS / 1e6} million pixels`
  if (data[12] !== 0) return 'interlaced PNGs are not supported'
  return { width, height, depth, type, channels }
}

/** Undoes the filters (§9.2): each byte was stored as the difference to what its neighbours foretell. */
function unfiltered(data: Buffer, rowBytes: number, height: number, step: number): Buffer {
  const rows = Buffer.alloc(rowBytes * height)
  for (let y = 0; y < height; y++) {
    const foretell = predictors[data[y * (rowBytes + 1)]!]
    if (!foretell) throw new RangeError('unknown filter')
    for (let x = 0; x < rowBytes; x++) {
      const at = y * rowBytes + x
      const left = x >= step ? rows[at - step]! : 0
      const up = y > 0 ? rows[at - rowBytes]! : 0
      const upLeft = x >= step && y > 0 ? rows[at - rowBytes - step]! : 0
      rows[at] = data[y * (rowBytes + 1) + 1 + x]! + foretell(left, up, upLeft)
    }
  }
  return rows
}

const predictors: readonly ((left: number, up: number, upLeft: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  paeth,
]

function paeth(left: number, up: number, upLeft: number): number {
  const estimate = left + up - upLeft
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - upLeft)]
  if (a <= b && a <= c) return left
  return b <= c ? up : upLeft
}

function onWhite(rows: Buffer, rowBytes: number, header: Header, palette?: Buffer, transparency?: Buffer): Buffer {
  const { width, height, channels } = header
  const rgb = Buffer.alloc(width * height * 3)
  const read = sampleReader(rows, rowBytes, header)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const values = Array.from({ length: channels }, (_, channel) => read(x, y, channel))
      const [red, green, blue, alpha] = colorOf(values, header, palette, transparency)
      const at = 3 * (y * width + x)
      rgb[at] = blend(red, alpha)
      rgb[at + 1] = blend(green, alpha)
      rgb[at + 2] = blend(blue, alpha)
    }
  return rgb
}

const blend = (value: number, alpha: number): number => Math.round((value * alpha + 255 * (255 - alpha)) / 255)

/** One value of a pixel as stored; of two bytes only the first counts. */
function sampleReader(rows: Buffer, rowBytes: number, { depth, channels }: Header) {
  return (x: number, y: number, channel: number): number => {
    const bit = (x * channels + channel) * depth
    const byte = rows[y * rowBytes + (bit >> 3)]!
    return depth >= 8 ? byte : (byte >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)
  }
}

type Rgba = readonly [red: number, green: number, blue: number, alpha: number]

function colorOf(values: readonly number[], header: Header, palette?: Buffer, transparency?: Buffer): Rgba {
  const [a = 0, b = 0, c = 0, d = 255] = values
  if (header.type === 3) {
    const at = 3 * a
    return [palette![at]!, palette![at + 1]!, palette![at + 2]!, transparency?.[a] ?? 255]
  }
  if (header.channels >= 3) return [a, b, c, d]
  const grey = header.depth < 8 ? Math.round((a * 255) / ((1 << header.depth) - 1)) : a
  return [grey, grey, grey, header.channels === 2 ? b : 255]
}
