import { constants } from 'node:os'
import koffi from 'koffi'

/** Renames a file unless the new name exists: EEXIST. */
export type RenameNew = (from: string, to: string) => void

// renameat2(2): paths relative to the working folder, and no replacing.
const AT_FDCWD = -100
const RENAME_NOREPLACE = 1

/** The system call in one step; undefined where the platform does not have it. */
export const renameNew: RenameNew | undefined = load()

function load(): RenameNew | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    const renameat2 = koffi
      .load(null)
      .func('int renameat2(int fromFolder, const char *from, int toFolder, const char *to, unsigned int flags)')
    return (from, to) => {
      const answer = renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE)
      // Right after the call: any other call of the library could change it.
      if (answer !== 0) throw errnoError(koffi.errno(), from, to)
    }
  } catch {
    // A C library without the call.
    return undefined
  }
}

const errnoNames = Object.entries(constants.errno)

function errnoError(errno: number, from: string, to: string): Error {
  const code = errnoNames.find(([, number]) => number === errno)?.[0] ?? String(errno)
  return Object.assign(new Error(`${code}: rename '${from}' -> '${to}'`), { code, errno, syscall: 'renameat2' })
}
