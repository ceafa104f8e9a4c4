import type { StartupProblem } from '../../errors/index.ts'
import { databaseProblem } from '../database-problem.ts'

type Sentence = (path: string) => string

const damaged: Sentence = (path) =>
  `${path} is not a sound SQLite database; restore it from a backup or name another file.`
const full: Sentence = (path) => `the disk that holds ${path} is full; make room or name a file on another disk.`
const forbidden: Sentence = (path) => `this process may not read and write ${path}; grant it or name another file.`
const readOnly: Sentence = (path) => `${path} can be read but not written; make it writable or name another file.`
const failing: Sentence = (path) =>
  `the disk failed to read or write ${path}; check that it is sound and has room, or name a file on another disk.`

const BUSY = 5

/** Primary result codes of SQLite (sqlite.org/rescode.html) that an operator can fix. */
const bySqliteCode: Readonly<Record<number, Sentence>> = {
  3: forbidden,
  [BUSY]: (path) => `${path} is locked by another process; stop that process or name another file.`,
  8: readOnly,
  10: failing,
  11: damaged,
  13: full,
  14: (path) => `${path} cannot be opened as a file; grant access to it and its folder, or name another file.`,
  23: forbidden,
  26: damaged,
}

const bySystemCode: Readonly<Record<string, Sentence>> = {
  EACCES: forbidden,
  EPERM: forbidden,
  EROFS: readOnly,
  ENOSPC: full,
  EDQUOT: full,
  EIO: failing,
  EISDIR: (path) => `${path} is a folder; name a file.`,
  EEXIST: (path) => `a file stands where the folder of ${path} should be; remove it or name another file.`,
  ENOTDIR: (path) => `a file stands where a folder of ${path} should be; remove it or name another file.`,
}

/** The operator's sentence for an error of SQLite or the file system; undefined when it is a bug. */
export function sqliteProblem(service: string, path: string, error: unknown): StartupProblem | undefined {
  if (!(error instanceof Error)) return undefined
  const sqliteCode = primaryCode(error)
  const sentence =
    sqliteCode === undefined ? bySystemCode[(error as NodeJS.ErrnoException).code ?? ''] : bySqliteCode[sqliteCode]
  return sentence && databaseProblem(service, sentence(path), error)
}

/** Says whether another connection holds the lock this one needs. */
export const isBusy = (error: unknown): boolean => error instanceof Error && primaryCode(error) === BUSY

// The low byte is the primary code; the rest specifies it.
function primaryCode(error: Error): number | undefined {
  const { errcode } = error as Error & { errcode?: number }
  return errcode === undefined ? byText[error.message] : errcode & 0xff
}

// The driver omits the code from errors of statements that return rows; SQLite's texts for codes are fixed
// (sqlite3_errstr).
const byText: Readonly<Record<string, number>> = {
  'access permission denied': 3,
  'database is locked': BUSY,
  'attempt to write a readonly database': 8,
  'disk I/O error': 10,
  'database disk image is malformed': 11,
  'database or disk is full': 13,
  'unable to open database file': 14,
  'file is not a database': 26,
}

/** The same sentence for a file that opens but fails its own check. */
export const damagedProblem = (service: string, path: string, found: string): StartupProblem =>
  databaseProblem(service, damaged(path), new Error(found))
