import { deflateSync } from 'node:zlib'

/** Pixels by colour type: grey, RGB, palette, grey with alpha, RGB with alpha. */
export type PngKind = 'grey' | 'rgb' | 'palette' | 'grey-alpha' | 'rgb-alpha'

const kinds: Readonly<Record<PngKind, { type: number; pixel: readonly number[] }>> = {
  grey: { type: 0, pixel: [120] },
  rgb: { type: 2, pixel: [200, 30, 30] },
  palette: { type: 3, pixel: [1] },
  'grey-alpha': { type: 4, pixel: [120, 128] },
  'rgb-alpha': { type: 6, pixel: [200, 30, 30, 128] },
}

/** A PNG of one colour. */
export function samplePng(kind: PngKind, width = 8, height = 8): Buffer {
  const { type, pixel } = kinds[kind]
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, type], 8)
  const row = Buffer.from([0, ...Array.from({ length: width }, () => pixel).flat()])
  const palette =
    kind === 'palette' ? [chunk('PLTE', Buffer.from([0, 0, 0, 200, 30, 30])), chunk('tRNS', Buffer.from([0, 128]))] : []
  const rows = Buffer.concat(Array.from({ length: height }, () => row))
  const data = [chunk('IHDR', header), ...palette, chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...data])
}

/** Checksums are left zero: embedding does not check them. */
function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)])
}
