import { crc32, inflateRawSync } from 'node:zlib'
import { EngineError } from '../errors/engine-error.ts'
import { refuseZip } from './errors.ts'
import { fixed, flags, methods, sameName, signatures, type ZipArchive, type ZipEntry } from './zip-format.ts'

export interface ZipLimits {
  /** Default 5,000. */
  readonly files?: number
  /** Of all files together, unpacked. Default 64 MB. */
  readonly totalBytes?: number
}

const usualLimits = { files: 5_000, totalBytes: 64 * 1024 * 1024 } as const

export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && ((bytes[2] === 3 && bytes[3] === 4) || (bytes[2] === 5 && bytes[3] === 6))

/**
 * Reads an archive that has one reading only: what the central directory says is what the local headers say, every byte
 * belongs to exactly one file, and no two files have one name. Neither ZIP64 nor encryption; sizes are limited before
 * anything is unpacked.
 */
export function readZip(archive: Uint8Array, limits: ZipLimits = {}): ZipArchive {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.length)
  try {
    return archiveIn(bytes, { ...usualLimits, ...limits })
  } catch (error) {
    if (error instanceof EngineError) throw error
    // Reading beyond the end is a RangeError, a broken stream a zlib error: the archive is malformed either way.
    throw refuseZip('zip.malformed', { reason: (error as Error).message }, error)
  }
}

const malformed = (reason: string) => refuseZip('zip.malformed', { reason })
const ambiguous = (reason: string) => refuseZip('zip.ambiguous', { reason })

function archiveIn(bytes: Buffer, limits: Required<ZipLimits>): ZipArchive {
  const directory = directoryOf(bytes)
  if (directory.count > limits.files) throw refuseZip('zip.too-large', { limit: limits.files, what: 'files' })
  const headers = headersIn(bytes, directory).toSorted((a, b) => a.offset - b.offset)
  const total = headers.reduce((sum, { size }) => sum + size, 0)
  if (total > limits.totalBytes) throw refuseZip('zip.too-large', { limit: limits.totalBytes, what: 'bytes' })
  requireOneFileEach(headers)
  if ((headers[0]?.offset ?? directory.start) !== 0) throw ambiguous('bytes stand before its first file')
  const entries = headers.map((header, at) => entryOf(bytes, header, headers[at + 1]?.offset ?? directory.start))
  return { entries: entries.filter(({ name }) => !name.endsWith('/')), comment: directory.comment }
}

interface Directory {
  readonly start: number
  readonly end: number
  readonly count: number
  readonly comment: string
}

function directoryOf(bytes: Buffer): Directory {
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end < 0) throw malformed('it has no directory')
  // A second record in the comment would be the one that other readers find.
  if (bytes.length !== end + fixed.end + bytes.readUInt16LE(end + 20))
    throw malformed('its end is not that of its directory')
  const [disk, start, here, count] = [4, 6, 8, 10].map((at) => bytes.readUInt16LE(end + at)) as [
    number,
    number,
    number,
    number,
  ]
  const [size, offset] = [bytes.readUInt32LE(end + 12), bytes.readUInt32LE(end + 16)]
  if (count === 0xffff || size === 0xffffffff || offset === 0xffffffff)
    throw refuseZip('zip.unsupported', { feature: 'ZIP64' })
  if (disk !== 0 || start !== 0 || here !== count) throw refuseZip('zip.unsupported', { feature: 'several volumes' })
  if (offset + size !== end) throw ambiguous('bytes stand around its directory')
  return { start: offset, end, count, comment: bytes.toString('utf8', end + fixed.end) }
}

/** What the central directory says of a file. */
interface Header {
  readonly name: string
  readonly rawName: Buffer
  readonly flags: number
  readonly method: number
  readonly checksum: number
  readonly packed: number
  readonly size: number
  readonly offset: number
  readonly raw: Buffer
}

function headersIn(bytes: Buffer, { start, end, count }: Directory): Header[] {
  const headers: Header[] = []
  let at = start
  for (let index = 0; index < count; index++) {
    const header = headerAt(bytes, at)
    headers.push(header)
    at += header.raw.length
  }
  if (at !== end) throw ambiguous('its directory has more than its files')
  return headers
}

function headerAt(bytes: Buffer, at: number): Header {
  if (bytes.readUInt32LE(at) !== signatures.entry) throw malformed('its directory is damaged')
  const [nameLength, extraLength, noteLength] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field)) as [
    number,
    number,
    number,
  ]
  const raw = bytes.subarray(at, at + fixed.entry + nameLength + extraLength + noteLength)
  const rawName = raw.subarray(fixed.entry, fixed.entry + nameLength)
  requireSupported(raw)
  requireNoOtherName(raw.subarray(fixed.entry + nameLength, fixed.entry + nameLength + extraLength), rawName)
  return {
    name: safeName(rawName),
    rawName,
    flags: raw.readUInt16LE(8),
    method: raw.readUInt16LE(10),
    checksum: raw.readUInt32LE(16),
    packed: raw.readUInt32LE(20),
    size: raw.readUInt32LE(24),
    offset: raw.readUInt32LE(42),
    raw,
  }
}

const UNREAD = flags.encrypted | flags.strongEncryption | flags.maskedHeaders
const MADE_ON_UNIX = 3
const FILE_TYPE = 0o170000
const SYMBOLIC_LINK = 0o120000

function requireSupported(raw: Buffer): void {
  if (raw.readUInt16LE(8) & UNREAD) throw refuseZip('zip.unsupported', { feature: 'encryption' })
  const method = raw.readUInt16LE(10)
  if (method !== methods.stored && method !== methods.deflated)
    throw refuseZip('zip.unsupported', { feature: `compression method ${method}` })
  const mode = raw.readUInt32LE(38) >>> 16
  if (raw[5] === MADE_ON_UNIX && (mode & FILE_TYPE) === SYMBOLIC_LINK)
    throw refuseZip('zip.unsupported', { feature: 'a symbolic link' })
}

const UNICODE_PATH = 0x7075

/** Info-ZIP's extra field with a second name (APPNOTE 4.6.9) must not be another one. */
function requireNoOtherName(extra: Buffer, name: Buffer): void {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    const field = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
    if (extra.readUInt16LE(at) === UNICODE_PATH && !field.subarray(5).equals(name))
      throw ambiguous('a file has two names')
  }
}

/** Relative, below the folder it is unpacked into, and written with `/`. */
function safeName(raw: Buffer): string {
  const name = decoded(raw)
  const parts = (name.endsWith('/') ? name.slice(0, -1) : name).split('/')
  const isUnsafe =
    /[\\]|^[A-Za-z]:/.test(name) ||
    hasControl(raw) ||
    parts.some((part) => part === '' || part === '.' || part === '..')
  if (isUnsafe) throw refuseZip('zip.unsafe-name', { name: JSON.stringify(name) })
  return name
}

const hasControl = (name: Buffer): boolean => name.some((byte) => byte < 0x20 || byte === 0x7f)

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

// Without the flag a name is in CP437 by the book and in UTF-8 in the field; what is neither ASCII nor UTF-8 has no
// reading that all agree on.
function decoded(raw: Buffer): string {
  try {
    return utf8.decode(raw)
  } catch (error) {
    throw refuseZip('zip.ambiguous', { reason: 'a name is not in UTF-8' }, error)
  }
}

/** No file twice, and none where another file has its folder. */
function requireOneFileEach(headers: readonly Header[]): void {
  const names = new Set<string>()
  for (const { name } of headers) {
    const key = sameName(name)
    if (names.has(key)) throw refuseZip('zip.duplicate-name', { name })
    names.add(key)
  }
  for (const { name } of headers)
    for (const folder of foldersOf(sameName(name)))
      if (names.has(folder)) throw refuseZip('zip.duplicate-name', { name: folder })
}

function foldersOf(name: string): string[] {
  const parts = name.replace(/\/$/, '').split('/')
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'))
}

/** The file whose local header is here and whose bytes end where the next file or the directory begins. */
function entryOf(bytes: Buffer, header: Header, end: number): ZipEntry {
  const record = bytes.subarray(header.offset, end)
  if (record.length < fixed.local || record.readUInt32LE(0) !== signatures.local)
    throw malformed('a file is not where its directory says')
  const [nameLength, extraLength] = [record.readUInt16LE(26), record.readUInt16LE(28)]
  const start = fixed.local + nameLength + extraLength
  requireSame(record, header)
  requireNoOtherName(record.subarray(fixed.local + nameLength, start), header.rawName)
  const packed = record.subarray(start, start + header.packed)
  if (packed.length !== header.packed) throw malformed('a file is cut off')
  requireTail(record.subarray(start + header.packed), header)
  return {
    name: header.name,
    content: unpacked(packed, header),
    isStored: header.method === methods.stored,
    hasExtra: extraLength > 0,
    offset: header.offset,
    record,
    header: header.raw,
  }
}

const MEANINGFUL = UNREAD | flags.descriptor | flags.utf8

/** The local header must say what the directory says; sizes may be zero where a descriptor follows. */
function requireSame(record: Buffer, header: Header): void {
  const name = record.subarray(fixed.local, fixed.local + record.readUInt16LE(26))
  const hasDescriptor = (header.flags & flags.descriptor) !== 0
  const sizes = [14, 18, 22].map((at) => record.readUInt32LE(at))
  const expected = [header.checksum, header.packed, header.size]
  const isSame =
    name.equals(header.rawName) &&
    (record.readUInt16LE(6) & MEANINGFUL) === (header.flags & MEANINGFUL) &&
    record.readUInt16LE(8) === header.method &&
    sizes.every((size, at) => size === expected[at] || (hasDescriptor && size === 0))
  if (!isSame) throw ambiguous('a file and the directory contradict each other')
  // Whoever reads from the front finds the end of stored data only by guessing.
  if (hasDescriptor && header.method === methods.stored && sizes[1] !== header.packed)
    throw ambiguous('a stored file does not say how long it is')
}

function requireTail(tail: Buffer, header: Header): void {
  if ((header.flags & flags.descriptor) === 0) {
    if (tail.length > 0) throw ambiguous('bytes stand between its files')
    return
  }
  const fields = tail.length === 16 && tail.readUInt32LE(0) === signatures.descriptor ? tail.subarray(4) : tail
  const expected = [header.checksum, header.packed, header.size]
  if (fields.length !== 12 || expected.some((value, at) => fields.readUInt32LE(4 * at) !== value))
    throw ambiguous('a descriptor and the directory contradict each other')
}

function unpacked(packed: Buffer, { method, size, checksum }: Header): Buffer {
  const content = method === methods.stored ? packed : inflated(packed, size)
  if (content.length !== size) throw malformed('a file has not the size its directory says')
  if (crc32(content) !== checksum) throw malformed('a file has not the checksum its directory says')
  return content
}

function inflated(packed: Buffer, size: number): Buffer {
  const options = { maxOutputLength: Math.max(1, size), info: true }
  const { buffer, engine } = inflateRawSync(packed, options) as unknown as {
    buffer: Buffer
    engine: { bytesWritten: number }
  }
  if (engine.bytesWritten !== packed.length) throw malformed('bytes stand behind the data of a file')
  return buffer
}
