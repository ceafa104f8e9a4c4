// Reads and writes whole files, with loops for the kernel's partial results.
import { createHash } from 'node:crypto'
import { FILE_MODE, type FileIdentity, type FileOperations, openings } from './file-operations.ts'

/** Bytes per step for files too large for memory. */
const CHUNK = 1024 * 1024

/** Opens a file, passes its descriptor to `work` and always closes it. */
export async function withFile<T>(
  fs: FileOperations,
  path: string,
  flags: number,
  work: (fd: number) => Promise<T> | T,
): Promise<T> {
  const fd = fs.openSync(path, flags, FILE_MODE)
  try {
    return await work(fd)
  } finally {
    fs.closeSync(fd)
  }
}

/** The first `length` bytes of a file that fits into memory; fewer if it has become shorter. */
export function readWhole(fs: FileOperations, fd: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length)
  let filled = 0
  while (filled < length) {
    const read = fs.readSync(fd, bytes, filled)
    if (read === 0) return bytes.subarray(0, filled)
    filled += read
  }
  return bytes
}

/** A file of any size, in pieces. A piece is valid until the next one is requested. */
async function* readPieces(fs: FileOperations, fd: number): AsyncGenerator<Uint8Array, void, undefined> {
  const buffer = Buffer.allocUnsafeSlow(CHUNK)
  for (let position = 0; ; ) {
    const read = await fs.read(fd, buffer, position)
    if (read === 0) return
    yield buffer.subarray(0, read)
    position += read
  }
}

/** Up to this size bytes are written in one synchronous call; beyond, on the thread pool. */
const QUICK_WRITE = CHUNK

/** Writes all parts; returns the number of bytes. */
export async function writeAll(fs: FileOperations, fd: number, parts: readonly Uint8Array[]): Promise<number> {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  if (length <= QUICK_WRITE) writeQuickly(fs, fd, parts)
  else for (const part of parts) await writePart(fs, fd, part)
  return length
}

function writeQuickly(fs: FileOperations, fd: number, parts: readonly Uint8Array[]): void {
  let rest = parts.filter(({ length }) => length > 0)
  while (rest.length > 0) rest = after(rest, fs.writevSync(fd, rest))
}

function after(parts: readonly Uint8Array[], written: number): Uint8Array[] {
  let skip = written
  return parts.flatMap((part) => {
    const from = Math.min(skip, part.length)
    skip -= from
    return from === part.length ? [] : [part.subarray(from)]
  })
}

async function writePart(fs: FileOperations, fd: number, part: Uint8Array): Promise<void> {
  for (let from = 0; from < part.length; ) from += await fs.write(fd, part.subarray(from, from + CHUNK))
}

/** Length and digest of a copy. */
export interface Copied {
  readonly length: number
  readonly sha256: string
}

/** Copies an open file under a new name while hashing it, durably. */
export function copyDurably(fs: FileOperations, from: number, to: string): Promise<Copied> {
  return writeDurably(fs, to, readPieces(fs, from))
}

/** Writes a stream under a name while hashing it, durably. */
export function writeDurably(fs: FileOperations, to: string, bytes: AsyncIterable<Uint8Array>): Promise<Copied> {
  return withFile(fs, to, openings.overwrite, async (fd) => {
    const hash = createHash('sha256')
    let length = 0
    for await (const piece of bytes) {
      hash.update(piece)
      length += piece.length
      await writePart(fs, fd, piece)
    }
    await fs.fsync(fd)
    return { length, sha256: hash.digest('hex') }
  })
}

/** The digest of an open file of any size. */
export async function hashPieces(fs: FileOperations, fd: number): Promise<Copied> {
  const hash = createHash('sha256')
  let length = 0
  for await (const piece of readPieces(fs, fd)) {
    hash.update(piece)
    length += piece.length
  }
  return { length, sha256: hash.digest('hex') }
}

/** Whether two stats show the same unchanged file. */
export const isSame = (a: FileIdentity, b: FileIdentity | undefined): boolean =>
  b !== undefined &&
  a.ino === b.ino &&
  a.dev === b.dev &&
  a.size === b.size &&
  a.mtimeNs === b.mtimeNs &&
  a.ctimeNs === b.ctimeNs

/** Whether two names are one file. */
export const isSameInode = (a: FileIdentity | undefined, b: FileIdentity | undefined): boolean =>
  a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev
