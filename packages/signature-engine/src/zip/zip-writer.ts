import { crc32, deflateRawSync } from 'node:zlib'
import { refuseZip } from './errors.ts'
import { fixed, flags, methods, sameName, signatures, type ZipArchive } from './zip-format.ts'

export interface NewZipFile {
  readonly name: string
  readonly content: Uint8Array
  /** Default: deflated where that is shorter. */
  readonly stored?: boolean
}

/** A new archive of these files, in their order. */
export const writeZip = (files: readonly NewZipFile[], now: Date): Buffer =>
  updateZip({ entries: [], comment: '' }, files, now)

/** The archive with these files added or replaced; every other file keeps its bytes and its place. */
export function updateZip(archive: ZipArchive, files: readonly NewZipFile[], now: Date): Buffer {
  const replaced = new Set(files.map(({ name }) => sameName(name)))
  const kept = archive.entries.filter(({ name }) => !replaced.has(sameName(name)))
  const added = files.map((file) => recordOf(file, now))
  return joined([...kept, ...added], Buffer.from(archive.comment, 'utf8'))
}

interface Written {
  /** Local header and data. */
  readonly record: Buffer
  /** Its header in the directory, of which the offset is not known yet. */
  readonly header: Buffer
}

const LIMITS = { files: 0xfffe, bytes: 0xfffffffe } as const

function joined(files: readonly Written[], comment: Buffer): Buffer {
  const headers: Buffer[] = []
  let offset = 0
  for (const { record, header } of files) {
    const moved = Buffer.from(header)
    moved.writeUInt32LE(offset, 42)
    headers.push(moved)
    offset += record.length
    if (offset > LIMITS.bytes) throw refuseZip('zip.too-large', { limit: LIMITS.bytes, what: 'bytes' })
  }
  if (files.length > LIMITS.files) throw refuseZip('zip.too-large', { limit: LIMITS.files, what: 'files' })
  const directory = Buffer.concat(headers)
  return Buffer.concat([
    ...files.map(({ record }) => record),
    directory,
    endOf(files.length, directory, offset, comment),
  ])
}

function endOf(count: number, directory: Buffer, offset: number, comment: Buffer): Buffer {
  const end = Buffer.alloc(fixed.end)
  end.writeUInt32LE(signatures.end, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([end, comment])
}

const VERSION_NEEDED = 20
/** Made on Unix, where unzip takes names in UTF-8 for what they are: a file that its owner may write and all may read. */
const MADE_BY = (3 << 8) | VERSION_NEEDED
const ATTRIBUTES = (0o100644 << 16) >>> 0

function recordOf({ name, content, stored = false }: NewZipFile, now: Date): Written {
  const path = Buffer.from(name, 'utf8')
  const plain = Buffer.from(content.buffer, content.byteOffset, content.length)
  const deflated = stored ? plain : deflateRawSync(plain)
  const isStored = deflated.length >= plain.length
  const data = isStored ? plain : deflated
  const common = Buffer.alloc(26)
  common.writeUInt16LE(VERSION_NEEDED, 0)
  common.writeUInt16LE(path.length === name.length ? 0 : flags.utf8, 2)
  common.writeUInt16LE(isStored ? methods.stored : methods.deflated, 4)
  common.writeUInt32LE(dosTime(now), 6)
  common.writeUInt32LE(crc32(plain), 10)
  common.writeUInt32LE(data.length, 14)
  common.writeUInt32LE(plain.length, 18)
  common.writeUInt16LE(path.length, 22)
  return {
    record: Buffer.concat([word(signatures.local), common, path, data]),
    header: Buffer.concat([
      word(signatures.entry),
      half(MADE_BY),
      common,
      Buffer.alloc(6),
      word(ATTRIBUTES),
      word(0),
      path,
    ]),
  }
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function half(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

/** MS-DOS time and date in UTC: two seconds fine, and nothing before 1980. */
function dosTime(time: Date): number {
  const at = new Date(Math.max(time.getTime(), Date.UTC(1980, 0, 1)))
  const clock = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  const day = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  return ((day << 16) | clock) >>> 0
}
