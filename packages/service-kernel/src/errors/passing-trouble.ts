/**
 * Troubles of the machine, the database or the storage that are no bug and pass: what failed succeeds when they are over.
 * Each is also a failure of the framework, which names the status and the code.
 */
export type PassingTrouble =
  | 'no-room'
  | 'read-only'
  | 'out-of-files'
  | 'disk-failing'
  | 'store-busy'
  | 'store-unreachable'
  | 'storage-unreachable'

/** Codes of the file system, and SQLSTATEs (PostgreSQL, appendix A). */
const byCode: Readonly<Record<string, PassingTrouble>> = {
  ENOSPC: 'no-room',
  EDQUOT: 'no-room',
  '53100': 'no-room',
  EROFS: 'read-only',
  '25006': 'read-only',
  EMFILE: 'out-of-files',
  ENFILE: 'out-of-files',
  EIO: 'disk-failing',
  ESTALE: 'disk-failing',
  '58030': 'disk-failing',
  // Out of memory, too many connections, a limit of the configuration; a lock or a deadlock that did not end in time.
  '53200': 'store-busy',
  '53300': 'store-busy',
  '53400': 'store-busy',
  '55P03': 'store-busy',
  '40001': 'store-busy',
  '40P01': 'store-busy',
  '57014': 'store-busy',
}

/** SQLite's primary result codes (sqlite.org/rescode.html): the low byte of the extended ones. */
const bySqliteCode: Readonly<Record<number, PassingTrouble>> = {
  5: 'store-busy',
  8: 'read-only',
  10: 'disk-failing',
  13: 'no-room',
  14: 'disk-failing',
}

/** SQLite's texts for the same, because the driver leaves the code out of some errors. */
const bySqliteText: Readonly<Record<string, PassingTrouble>> = {
  'database is locked': 'store-busy',
  'attempt to write a readonly database': 'read-only',
  'disk I/O error': 'disk-failing',
  'database or disk is full': 'no-room',
  'unable to open database file': 'disk-failing',
}

/** Troubles of errors that keep their own class and code, such as connections that were not made or were lost. */
const noted = new WeakMap<Error, PassingTrouble>()

/** Notes that an error says no more than this, and returns it. */
function note<E>(error: E, trouble: PassingTrouble): E {
  if (error instanceof Error) noted.set(error, trouble)
  return error
}

/** Notes that an error says no more than that the database cannot be reached, and returns it. */
export const notedUnreachable = <E>(error: E): E => note(error, 'store-unreachable')

/** Notes that an error says no more than that the storage of files cannot be used now, and returns it. */
export const notedStorageUnreachable = <E>(error: E): E => note(error, 'storage-unreachable')

/** The trouble that an error, or what caused it, tells of; undefined for bugs. */
export function passingTrouble(error: unknown): PassingTrouble | undefined {
  if (!(error instanceof Error)) return undefined
  return noted.get(error) ?? troubleByCode(error) ?? passingTrouble(error.cause)
}

function troubleByCode(error: Error): PassingTrouble | undefined {
  const { code, errcode } = error as Error & { readonly code?: unknown; readonly errcode?: number }
  if (errcode !== undefined) return bySqliteCode[errcode & 0xff]
  return (typeof code === 'string' ? byCode[code] : undefined) ?? bySqliteText[error.message]
}

/** Whether an error, or what caused it, is that the database cannot be reached: no bug, and over when it is back. */
export const isStoreUnreachable = (error: unknown): boolean => passingTrouble(error) === 'store-unreachable'
