import { inflateRawSync } from 'node:zlib'
import { refuseTrust } from './errors.ts'

/** A file inside an archive. */
export interface ZipFile {
  readonly name: string
  readonly content: Buffer
}

/** The official archive has some two hundred certificates of two kilobytes. */
const MAX_FILES = 5_000
const MAX_TOTAL_BYTES = 64 * 1024 * 1024

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50

export const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3

/**
 * The files of a zip archive, by its central directory: stored or deflated, which is all that archives of certificates
 * use. Neither ZIP64 nor encryption; the number of files and their total size are limited, against zip bombs.
 */
export function zipFiles(archive: Uint8Array): ZipFile[] {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.length)
  try {
    return [...filesIn(bytes)]
  } catch (error) {
    // Reading beyond the end is a RangeError, a broken stream a zlib error: the archive is malformed either way.
    throw refuseTrust('trust.zip-malformed', { reason: (error as Error).message }, error)
  }
}

function* filesIn(bytes: Buffer): Generator<ZipFile> {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0 || bytes.readUInt32LE(end) !== END) throw new Error('it has no directory')
  if (bytes.length < end + 22 + bytes.readUInt16LE(end + 20)) throw new Error('it is cut off')
  const count = bytes.readUInt16LE(end + 10)
  if (count > MAX_FILES) throw new Error(`it has more than ${MAX_FILES} files`)
  let left = MAX_TOTAL_BYTES
  let at = bytes.readUInt32LE(end + 16)
  for (let index = 0; index < count; index++) {
    if (bytes.readUInt32LE(at) !== ENTRY) throw new Error('its directory is damaged')
    const lengths = {
      name: bytes.readUInt16LE(at + 28),
      extra: bytes.readUInt16LE(at + 30),
      note: bytes.readUInt16LE(at + 32),
    }
    const name = bytes.toString('utf8', at + 46, at + 46 + lengths.name)
    if (!name.endsWith('/')) {
      const content = contentOf(bytes, at, left)
      left -= content.length
      yield { name, content }
    }
    at += 46 + lengths.name + lengths.extra + lengths.note
  }
}

function contentOf(bytes: Buffer, entry: number, limit: number): Buffer {
  const method = bytes.readUInt16LE(entry + 10)
  const compressedSize = bytes.readUInt32LE(entry + 20)
  const local = bytes.readUInt32LE(entry + 42)
  if (bytes.readUInt32LE(local) !== LOCAL) throw new Error('a file is not where the directory says')
  const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
  const stored = bytes.subarray(start, start + compressedSize)
  if (stored.length !== compressedSize || compressedSize > limit) throw new Error('a file is cut off or too large')
  if (method === 0) return stored
  if (method !== 8) throw new Error(`compression method ${method}`)
  return inflateRawSync(stored, { maxOutputLength: Math.max(1, limit) })
}
