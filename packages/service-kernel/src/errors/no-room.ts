/** Codes of the file system, and of PostgreSQL, for a disk without room or a quota that is used up. */
const NO_ROOM: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', '53100'])

/** SQLite's primary result code, and its text, because the driver leaves the code out of some errors. */
const SQLITE_FULL = 13
const SQLITE_TEXT = 'database or disk is full'

/** Whether an error, or what caused it, is that the disk is full: no bug, and over when there is room again. */
export function isNoRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as Error & { readonly code?: unknown; readonly errcode?: number }
  if (NO_ROOM.has(code) || error.message === SQLITE_TEXT) return true
  return (errcode !== undefined && (errcode & 0xff) === SQLITE_FULL) || isNoRoom(error.cause)
}
