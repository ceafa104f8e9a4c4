import { constants } from 'node:os'
import { type Libc, libc } from './libc.ts'
import { isLocal } from './local-file-systems.ts'

/**
 * What the kernel knows of others who use a file.
 * - `held`: somebody has it open for writing or holds a lock on it.
 * - `free`: nobody does, and until the release nobody can begin to without this process noticing.
 * - `unknown`: the file system has no leases or is a share, or the file belongs to another user and the process lacks
 *   CAP_LEASE.
 */
export type Hold = 'held' | 'free' | 'unknown'

/** A look at an open file that lasts until it is released. */
export interface FileLease {
  readonly hold: Hold
  /** Whether a lease that was given is still whole; false once somebody wants to write. Always false without a lease. */
  isWhole(): boolean
  /** Gives everything back before the descriptor is closed, which does the same; harmless when it is called twice. */
  release(): void
}

// fcntl(2), flock(2): Linux, the same on every architecture of 64 bits.
const F_SETSIG = 10
const F_SETLEASE = 1024
const F_GETLEASE = 1025
const F_OFD_GETLK = 36
const [F_RDLCK, F_UNLCK] = [0, 2]
const [LOCK_SH, LOCK_NB, LOCK_UN] = [1, 4, 8]

/** struct flock: the type in the first two bytes; all zeroes ask about a read lock of the whole file. */
const flockRecord = Buffer.alloc(32)

/** Where the kernel cannot tell. */
export const unleased: FileLease = { hold: 'unknown', isWhole: () => false, release: () => {} }
const taken: FileLease = { ...unleased, hold: 'held' }

/**
 * Takes a read lease and a shared lock of a file that is open for reading only. The lease is refused while anybody has
 * the file open for writing, and one who opens it later waits until the release (at most /proc/sys/fs/lease-break-time
 * seconds), so that what is read meanwhile is one state of the file. Locks of others (flock, fcntl) are honoured
 * although they bind nobody.
 */
export function leaseFile(fd: number, dev: bigint, kernel: Libc | null = libc): FileLease {
  if (!kernel) return unleased
  if (isLocked(kernel, fd)) return taken
  const lease = takeLease(kernel, fd)
  if (lease === 'held') unlock(kernel, fd)
  return lease === 'held' ? taken : givenLease(kernel, { fd, dev }, lease)
}

interface OpenFile {
  readonly fd: number
  /** Of the disk it lies on. */
  readonly dev: bigint
}

function givenLease(kernel: Libc, { fd, dev }: OpenFile, lease: Exclude<Hold, 'held'>): FileLease {
  const isGiven = lease === 'free'
  return {
    // On a share the kernel speaks for the writers of this machine only.
    hold: isGiven && isLocal(fd, dev) ? 'free' : 'unknown',
    isWhole: () => isGiven && isWhole(kernel, fd),
    release: () => {
      if (isGiven) kernel.fcntl(fd, F_SETLEASE, F_UNLCK)
      unlock(kernel, fd)
    },
  }
}

/** Whether another process holds an exclusive lock; if not, this one has a shared flock afterwards. */
function isLocked(kernel: Libc, fd: number): boolean {
  // One record for all calls, which are synchronous: the kernel writes its answer over the question.
  const asked = kernel.fcntlWith(fd, F_OFD_GETLK, flockRecord.fill(0))
  if ('value' in asked && flockRecord.readInt16LE(0) !== F_UNLCK) return true
  const locked = kernel.flock(fd, LOCK_SH | LOCK_NB)
  return 'errno' in locked && locked.errno === 'EAGAIN'
}

const unlock = (kernel: Libc, fd: number) => kernel.flock(fd, LOCK_UN)

function takeLease(kernel: Libc, fd: number): Hold {
  // Who opens the file for writing makes the kernel signal the holder. The default, SIGIO, would end the process;
  // SIGURG is ignored unless somebody listens.
  kernel.fcntl(fd, F_SETSIG, constants.signals.SIGURG)
  const answer = kernel.fcntl(fd, F_SETLEASE, F_RDLCK)
  if ('value' in answer) return 'free'
  return answer.errno === 'EAGAIN' ? 'held' : 'unknown'
}

/** A lease that is being broken is told as the one it is to become. */
function isWhole(kernel: Libc, fd: number): boolean {
  const answer = kernel.fcntl(fd, F_GETLEASE, 0)
  return 'value' in answer && answer.value === F_RDLCK
}
