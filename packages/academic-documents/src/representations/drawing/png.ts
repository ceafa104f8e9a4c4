import { inflateSync } from 'node:zlib'

/** A picture as red, green and blue bytes, row by row from the top. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly rgb: Buffer
}

/** Larger ones are no logo and no background of a page. */
const MAX_PIXELS = 12_000_000

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export const isPng = (bytes: Buffer): boolean => bytes.subarray(0, 8).equals(SIGNATURE)

/** How many values each pixel has, and of how many bits, by the colour type of the header (PNG §11.2.2). */
const colorTypes: Readonly<Record<number, { readonly channels: number; readonly depths: readonly number[] }>> = {
  0: { channels: 1, depths: [1, 2, 4, 8, 16] },
  2: { channels: 3, depths: [8, 16] },
  3: { channels: 1, depths: [1, 2, 4, 8] },
  4: { channels: 2, depths: [8, 16] },
  6: { channels: 4, depths: [8, 16] },
}

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
  const color = colorTypes[type]
  if (!color?.depths.includes(depth) || width === 0 || height === 0) return 'the PNG is damaged'
  if (width * height > MAX_PIXELS) return `it has more than ${MAX_PIXELS / 1e6} million pixels`
  if (data[12] !== 0) return 'interlaced PNGs are not supported'
  return { width, height, depth, type, channels: color.channels }
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
  const { width, height, channels, type } = header
  const rgb = Buffer.alloc(width * height * 3)
  const samples = samplesOf(rows, rowBytes, header)
  const alphas = type === 3 ? transparency : undefined
  for (let pixel = 0, from = 0, to = 0; pixel < width * height; pixel++, from += channels, to += 3) {
    const first = samples[from]!
    const alpha = type === 3 ? (alphas?.[first] ?? 255) : channels % 2 === 0 ? samples[from + channels - 1]! : 255
    for (let channel = 0; channel < 3; channel++) {
      const value = type === 3 ? palette![3 * first + channel]! : channels < 3 ? first : samples[from + channel]!
      rgb[to + channel] = alpha === 255 ? value : Math.round((value * alpha + 255 * (255 - alpha)) / 255)
    }
  }
  return rgb
}

/** Every value of every pixel in a byte of its own: of two bytes the first, of fewer bits as much of a whole. */
function samplesOf(rows: Buffer, rowBytes: number, { width, height, depth, channels, type }: Header): Buffer {
  if (depth === 8) return rows
  const samples = Buffer.alloc(width * channels * height)
  const scale = depth > 8 || type === 3 ? 1 : 255 / ((1 << depth) - 1)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width * channels; x++, at++) {
      const bit = x * depth
      const byte = rows[y * rowBytes + (bit >> 3)]!
      samples[at] = depth > 8 ? byte : ((byte >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)) * scale
    }
  return samples
}
