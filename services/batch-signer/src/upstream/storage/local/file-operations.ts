import fs, { type BigIntStats, constants } from 'node:fs'
import { promisify } from 'node:util'
import { isExclusivelyLeased } from './kernel/exclusive-leases.ts'
import { type FileLease, leaseFile } from './kernel/leases.ts'
import { renameNew } from './kernel/rename.ts'

/** Identity of a file, from the kernel: a changed file differs in at least one field. */
export type FileIdentity = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'> & {
  readonly isFile: boolean
  readonly isDirectory: boolean
}

/**
 * All file operations of the service on its work folders and inputs, so that a test can make any of them fail. Calls
 * the kernel answers from memory are synchronous: for files of 20 KB the thread pool costs four to eight times the call
 * itself, and would queue behind signatures. Calls that wait for the disk are asynchronous.
 */
export interface FileOperations {
  /** Throws EAGAIN, for reading, while another process has an exclusive lease on the file; the lease stays whole. */
  openSync(path: string, flags: number, mode?: number): number
  closeSync(fd: number): void
  fstatSync(fd: number): FileIdentity
  /** Undefined when nothing exists there. */
  lstatSync(path: string): FileIdentity | undefined
  /** Throws unless the process has these rights. */
  accessSync(path: string, mode: number): void
  /** Bytes that this process may still write to the file system of a folder. */
  freeBytesSync(folder: string): number
  readSync(fd: number, buffer: Uint8Array, offset: number): number
  writevSync(fd: number, parts: readonly Uint8Array[]): number
  /** Throws EEXIST when the new name exists. EINVAL or ENOSYS: not offered here. */
  renameNewSync(from: string, to: string): void
  renameSync(from: string, to: string): void
  unlinkSync(path: string): void
  /** Sets mode, owner and group, as far as they are given. */
  dressSync(fd: number, dress: FileDress): void
  dressOfSync(fd: number): Required<FileDress>
  /** Keeps writers away from a file open for reading, as far as the kernel can; see `leaseFile`. */
  leaseSync(fd: number, identity: FileIdentity): FileLease
  /** For creating a file: the disk's journal may delay it. */
  open(path: string, flags: number, mode?: number): Promise<number>
  read(fd: number, buffer: Uint8Array, position: number): Promise<number>
  write(fd: number, bytes: Uint8Array): Promise<number>
  fsync(fd: number): Promise<void>
  /** For a file whose last name is gone: closing it frees its blocks. */
  close(fd: number): Promise<void>
  unlink(path: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  mkdir(path: string): Promise<void>
  readdir(path: string): Promise<string[]>
  /** Removes a file or a whole folder; a missing one is no error. */
  remove(path: string): Promise<void>
}

/** Mode, owner and group of a file. */
interface FileDress {
  readonly mode?: number
  readonly owner?: number
  readonly group?: number
}

/** fchown(2): -1, which Node takes as an unsigned number. */
const UNCHANGED = 0xffff_ffff

/** Folders of the service: readable for its group, not for others. */
const FOLDER_MODE = 0o750

const [open, read, write, fsync, close, unlink, rename, readdir] = [
  promisify(fs.open),
  promisify(fs.read),
  promisify(fs.write),
  promisify(fs.fsync),
  promisify(fs.close),
  promisify(fs.unlink),
  promisify(fs.rename),
  promisify(fs.readdir),
]

const identityOf = (stats: BigIntStats): FileIdentity => ({
  dev: stats.dev,
  ino: stats.ino,
  size: stats.size,
  mtimeNs: stats.mtimeNs,
  ctimeNs: stats.ctimeNs,
  isFile: stats.isFile(),
  isDirectory: stats.isDirectory(),
})

/** The files of this machine. */
export const localFiles: FileOperations = {
  openSync: (path, flags, mode) => {
    if (flags === openings.read && isExclusivelyLeased(path)) {
      throw Object.assign(new Error(`EAGAIN: leased, open '${path}'`), { code: 'EAGAIN' })
    }
    return fs.openSync(path, flags, mode)
  },
  closeSync: (fd) => fs.closeSync(fd),
  fstatSync: (fd) => identityOf(fs.fstatSync(fd, { bigint: true })),
  lstatSync: (path) => {
    const stats = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false })
    return stats && identityOf(stats)
  },
  accessSync: (path, mode) => fs.accessSync(path, mode),
  freeBytesSync: (folder) => {
    const { bavail, bsize } = fs.statfsSync(folder)
    return bavail * bsize
  },
  readSync: (fd, buffer, offset) => fs.readSync(fd, buffer, offset, buffer.length - offset, null),
  writevSync: (fd, parts) => fs.writevSync(fd, parts),
  renameNewSync: (from, to) => {
    if (!renameNew) throw Object.assign(new Error('ENOSYS: renameat2'), { code: 'ENOSYS' })
    renameNew(from, to)
  },
  renameSync: (from, to) => fs.renameSync(from, to),
  unlinkSync: (path) => fs.unlinkSync(path),
  dressSync: (fd, { mode, owner, group }) => {
    // The mode first: a file that was given away can no longer be changed.
    if (mode !== undefined) fs.fchmodSync(fd, mode)
    if (owner !== undefined || group !== undefined) fs.fchownSync(fd, owner ?? UNCHANGED, group ?? UNCHANGED)
  },
  dressOfSync: (fd) => {
    const { mode, uid, gid } = fs.fstatSync(fd)
    return { mode: mode & 0o7777, owner: uid, group: gid }
  },
  leaseSync: (fd, { dev }) => leaseFile(fd, dev),
  open: (path, flags, mode) => open(path, flags, mode),
  read: async (fd, buffer, position) => (await read(fd, buffer, 0, buffer.length, position)).bytesRead,
  write: async (fd, bytes) => (await write(fd, bytes, 0, bytes.length, null)).bytesWritten,
  fsync: (fd) => fsync(fd),
  close: (fd) => close(fd),
  unlink: (path) => unlink(path),
  rename: (from, to) => rename(from, to),
  mkdir: async (path) => {
    await fs.promises.mkdir(path, { recursive: true, mode: FOLDER_MODE })
  },
  readdir: (path) => readdir(path),
  remove: (path) => fs.promises.rm(path, { recursive: true, force: true }),
}

const { O_RDONLY, O_WRONLY, O_CREAT, O_TRUNC, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_DIRECTORY } = constants

/** Flags for opening files: links are not followed, and a pipe in place of a file does not block. */
export const openings = {
  read: O_RDONLY | O_NOFOLLOW | O_NONBLOCK,
  overwrite: O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW,
  createNew: O_WRONLY | O_CREAT | O_EXCL,
  folder: O_RDONLY | O_DIRECTORY,
} as const

/** Files of the service: readable for its group, not for others. */
export const FILE_MODE = 0o640
