import { errnoOf } from '../local/disk-errors.ts'
import { localFiles, openings } from '../local/file-operations.ts'
import type { Hold } from '../local/kernel/leases.ts'

/** Whether somebody has a file open for writing or locked, at this moment. */
export function writersOf(path: string): Hold {
  let fd: number
  try {
    fd = localFiles.openSync(path, openings.read)
  } catch (error) {
    // EAGAIN: another process has a lease for writing. A file that cannot be opened for another reason is for its job.
    return errnoOf(error) === 'EAGAIN' ? 'held' : 'unknown'
  }
  try {
    return localFiles.leaseSync(fd, localFiles.fstatSync(fd)).hold
  } finally {
    // Gives the lease back, too.
    localFiles.closeSync(fd)
  }
}
