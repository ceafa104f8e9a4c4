/** The tables of a TrueType file that a part of it is made of. */
export interface TrueTypeFile {
  readonly tables: ReadonlyMap<string, Buffer>
  readonly hasLongOffsets: boolean
  readonly glyphs: number
  readonly metrics: number
}

export function readTrueType(bytes: Buffer): TrueTypeFile {
  const tables = new Map<string, Buffer>()
  for (let at = 0; at < bytes.readUInt16BE(4); at++) {
    const entry = 12 + 16 * at
    const start = bytes.readUInt32BE(entry + 8)
    tables.set(
      bytes.toString('latin1', entry, entry + 4),
      bytes.subarray(start, start + bytes.readUInt32BE(entry + 12)),
    )
  }
  return {
    tables,
    hasLongOffsets: tables.get('head')!.readInt16BE(50) === 1,
    glyphs: tables.get('maxp')!.readUInt16BE(4),
    metrics: tables.get('hhea')!.readUInt16BE(34),
  }
}

/** A part of a font. */
export interface FontSubset {
  readonly bytes: Buffer
  /** How many glyphs it has: those asked for, and those they are composed of. */
  readonly glyphs: number
}

/** What PDF needs of a TrueType font (ISO 32000-1 §9.9); names and character maps are the PDF's own. */
const COPIED = ['cvt ', 'fpgm', 'prep']

/** A font of these glyphs only, numbered in their order. The first must be 0, the one for missing letters. */
export function subsetTrueType(font: TrueTypeFile, wanted: readonly number[]): FontSubset {
  const numbers = new Map(wanted.map((glyph, at) => [glyph, at]))
  const order = [...wanted]
  const outlines: Buffer[] = []
  // Composed glyphs lead to others, which join at the end.
  for (let at = 0; at < order.length; at++) outlines.push(renumbered(outlineOf(font, order[at]!), numbers, order))
  const tables = new Map<string, Buffer>([
    ['glyf', Buffer.concat(outlines.map(padded))],
    ['head', changed(font, 'head', 50, 1)],
    ['hhea', changed(font, 'hhea', 34, order.length)],
    ['hmtx', Buffer.concat(order.map((glyph) => metricsOf(font, glyph)))],
    ['loca', offsetsOf(outlines)],
    ['maxp', changed(font, 'maxp', 4, order.length)],
  ])
  for (const name of COPIED) if (font.tables.has(name)) tables.set(name, font.tables.get(name)!)
  return { bytes: assembled(tables), glyphs: order.length }
}

function outlineOf({ tables, hasLongOffsets }: TrueTypeFile, glyph: number): Buffer {
  const loca = tables.get('loca')!
  const offset = (at: number) => (hasLongOffsets ? loca.readUInt32BE(4 * at) : 2 * loca.readUInt16BE(2 * at))
  return tables.get('glyf')!.subarray(offset(glyph), offset(glyph + 1))
}

const HAS_WORDS = 0x1
const HAS_SCALE = 0x8
const HAS_MORE = 0x20
const HAS_TWO_SCALES = 0x40
const HAS_MATRIX = 0x80

/** The outline with the numbers that its components have in the new font. */
function renumbered(outline: Buffer, numbers: Map<number, number>, order: number[]): Buffer {
  if (outline.length === 0 || outline.readInt16BE(0) >= 0) return outline
  const copy = Buffer.from(outline)
  for (let at = 10, flags = HAS_MORE; flags & HAS_MORE; at += componentBytes(flags)) {
    flags = copy.readUInt16BE(at)
    const component = copy.readUInt16BE(at + 2)
    if (!numbers.has(component)) numbers.set(component, order.push(component) - 1)
    copy.writeUInt16BE(numbers.get(component)!, at + 2)
  }
  return copy
}

const componentBytes = (flags: number): number =>
  4 + (flags & HAS_WORDS ? 4 : 2) + (flags & HAS_SCALE ? 2 : flags & HAS_TWO_SCALES ? 4 : flags & HAS_MATRIX ? 8 : 0)

/** Advance and left bearing. Beyond the last full entry the advance stays the same. */
function metricsOf({ tables, metrics }: TrueTypeFile, glyph: number): Buffer {
  const hmtx = tables.get('hmtx')!
  if (glyph < metrics) return hmtx.subarray(4 * glyph, 4 * glyph + 4)
  const bearing = 4 * metrics + 2 * (glyph - metrics)
  return Buffer.concat([hmtx.subarray(4 * metrics - 4, 4 * metrics - 2), hmtx.subarray(bearing, bearing + 2)])
}

function offsetsOf(outlines: readonly Buffer[]): Buffer {
  const loca = Buffer.alloc(4 * (outlines.length + 1))
  let position = 0
  outlines.forEach((outline, at) => {
    position += paddedLength(outline)
    loca.writeUInt32BE(position, 4 * (at + 1))
  })
  return loca
}

function changed({ tables }: TrueTypeFile, name: string, at: number, value: number): Buffer {
  const copy = Buffer.from(tables.get(name)!)
  copy.writeUInt16BE(value, at)
  return copy
}

const paddedLength = ({ length }: Buffer): number => (length + 3) & ~3
const padded = (data: Buffer): Buffer => Buffer.concat([data], paddedLength(data))

/** A font file: the directory, then the tables in the order of their names. */
function assembled(tables: ReadonlyMap<string, Buffer>): Buffer {
  const names = [...tables.keys()].sort()
  const directory = directoryHead(names.length)
  const parts: Buffer[] = [directory]
  let position = directory.length
  names.forEach((name, at) => {
    const data = tables.get(name)!
    if (name === 'head') data.writeUInt32BE(0, 8)
    const entry = 12 + 16 * at
    directory.write(name, entry, 'latin1')
    directory.writeUInt32BE(checksum(padded(data)), entry + 4)
    directory.writeUInt32BE(position, entry + 8)
    directory.writeUInt32BE(data.length, entry + 12)
    parts.push(padded(data))
    position += paddedLength(data)
  })
  return withChecksum(Buffer.concat(parts), directory, names.indexOf('head'))
}

function directoryHead(count: number): Buffer {
  const directory = Buffer.alloc(12 + 16 * count)
  const power = 2 ** Math.floor(Math.log2(count))
  directory.writeUInt32BE(0x00010000, 0)
  directory.writeUInt16BE(count, 4)
  directory.writeUInt16BE(16 * power, 6)
  directory.writeUInt16BE(Math.log2(power), 8)
  directory.writeUInt16BE(16 * (count - power), 10)
  return directory
}

/** The table `head` holds what the sum over the whole file lacks to this number. */
const WHOLE_SUM = 0xb1b0afba

function withChecksum(file: Buffer, directory: Buffer, head: number): Buffer {
  const place = directory.readUInt32BE(12 + 16 * head + 8) + 8
  file.writeUInt32BE((WHOLE_SUM - checksum(file)) >>> 0, place)
  return file
}

function checksum(data: Buffer): number {
  let sum = 0
  for (let at = 0; at < data.length; at += 4) sum = (sum + data.readUInt32BE(at)) >>> 0
  return sum
}
