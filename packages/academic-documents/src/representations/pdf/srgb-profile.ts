/**
 * A colour profile of sRGB (IEC 61966-2-1) in the format of ICC.1:2001-04, computed from the numbers of the standard: what
 * the colours of a PDF/A mean must be in the file, and a profile made by others would come with its own conditions.
 */
export function srgbProfile(): Buffer {
  const curve = transferCurve()
  const tags: readonly Tag[] = [
    ['desc', description('sRGB IEC61966-2.1')],
    ['cprt', text('Computed from IEC 61966-2-1. Public domain.')],
    ['wtpt', xyz(0.9642, 1, 0.8249)],
    ['rXYZ', xyz(0.43607, 0.22249, 0.01392)],
    ['gXYZ', xyz(0.38515, 0.71687, 0.09708)],
    ['bXYZ', xyz(0.14307, 0.06061, 0.7141)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ]
  return withHeader(tagTable(tags))
}

type Tag = readonly [signature: string, data: Buffer]

const HEADER_BYTES = 128

/** Each tag's data once, at a multiple of four, behind the table that says where. */
function tagTable(tags: readonly Tag[]): Buffer {
  const table = Buffer.alloc(4 + 12 * tags.length)
  table.writeUInt32BE(tags.length, 0)
  const places = new Map<Buffer, number>()
  const parts = [table]
  let position = HEADER_BYTES + table.length
  tags.forEach(([signature, data], at) => {
    if (!places.has(data)) {
      places.set(data, position)
      const padded = Buffer.concat([data, Buffer.alloc(-data.length & 3)])
      parts.push(padded)
      position += padded.length
    }
    table.write(signature, 4 + 12 * at, 'latin1')
    table.writeUInt32BE(places.get(data)!, 8 + 12 * at)
    table.writeUInt32BE(data.length, 12 + 12 * at)
  })
  return Buffer.concat(parts)
}

function withHeader(body: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32BE(HEADER_BYTES + body.length, 0)
  // Version 2.1: PDF 1.4 and with it ISO 19005-1 know none that is newer than 2.
  header.writeUInt32BE(0x02100000, 8)
  header.write('mntrRGB XYZ ', 12, 'latin1')
  // A fixed day: the profile never changes.
  for (const [at, part] of [2026, 1, 1, 0, 0, 0].entries()) header.writeUInt16BE(part, 24 + 2 * at)
  header.write('acsp', 36, 'latin1')
  xyz(0.9642, 1, 0.8249).copy(header, 68, 8)
  return Buffer.concat([header, body])
}

const fixed = (value: number): number => Math.round(value * 65536)

function xyz(...values: readonly [number, number, number]): Buffer {
  const data = Buffer.alloc(20)
  data.write('XYZ ', 0, 'latin1')
  values.forEach((value, at) => {
    data.writeInt32BE(fixed(value), 8 + 4 * at)
  })
  return data
}

const text = (content: string): Buffer => Buffer.concat([Buffer.from(`text\0\0\0\0${content}\0`, 'latin1')])

/** §6.5.17: in ASCII, and empty in the two other forms, whose fixed places must be there. */
function description(content: string): Buffer {
  const ascii = Buffer.from(`${content}\0`, 'latin1')
  const data = Buffer.alloc(12 + ascii.length + 8 + 3 + 67)
  data.write('desc', 0, 'latin1')
  data.writeUInt32BE(ascii.length, 8)
  ascii.copy(data, 12)
  return data
}

const CURVE_POINTS = 1024

function transferCurve(): Buffer {
  const data = Buffer.alloc(12 + 2 * CURVE_POINTS)
  data.write('curv', 0, 'latin1')
  data.writeUInt32BE(CURVE_POINTS, 8)
  for (let at = 0; at < CURVE_POINTS; at++)
    data.writeUInt16BE(Math.round(linear(at / (CURVE_POINTS - 1)) * 65535), 12 + 2 * at)
  return data
}

const linear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
