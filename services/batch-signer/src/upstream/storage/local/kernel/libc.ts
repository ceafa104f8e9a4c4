import { constants } from 'node:os'
import koffi from 'koffi'

/** The outcome of a call of the kernel: its answer, or the name of its error (`EAGAIN`). */
type Answer = { readonly value: number } | { readonly errno: string }

/** Calls of the kernel that Node does not offer. */
export interface Libc {
  /** With a number as the argument. */
  fcntl(fd: number, command: number, argument: number): Answer
  /** With a structure as the argument, which the call may change. */
  fcntlWith(fd: number, command: number, argument: Buffer): Answer
  flock(fd: number, operation: number): Answer
}

const errnoNames = Object.entries(constants.errno)

/** Reads errno right after the call: any other call of the library could change it. */
function answerOf(value: number): Answer {
  if (value !== -1) return { value }
  const errno = koffi.errno()
  // The first name of a number: EWOULDBLOCK is EAGAIN.
  return { errno: errnoNames.find(([, number]) => number === errno)?.[0] ?? String(errno) }
}

function load(): Libc | null {
  // The numbers of the commands and the layout of the structures are those of Linux on 64 bits.
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) return null
  try {
    const library = koffi.load(null)
    const fcntl = library.func('int fcntl(int fd, int command, ...)')
    const flock = library.func('int flock(int fd, int operation)')
    return {
      fcntl: (fd, command, argument) => answerOf(fcntl(fd, command, 'int', argument)),
      fcntlWith: (fd, command, argument) => answerOf(fcntl(fd, command, 'void *', argument)),
      flock: (fd, operation) => answerOf(flock(fd, operation)),
    }
  } catch {
    // A C library that the binding cannot load: the callers do without.
    return null
  }
}

/** Null where the platform has no such calls. */
export const libc: Libc | null = load()
