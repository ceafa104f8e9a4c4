/** SQLSTATE of PostgreSQL; extended result codes SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE of SQLite. */
const POSTGRES_UNIQUE = '23505'
const SQLITE_UNIQUE: readonly unknown[] = [1555, 2067]

/** Whether a statement failed because a row with the same key existed, on either database. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as Error & { code?: unknown; errcode?: unknown }
  return code === POSTGRES_UNIQUE || SQLITE_UNIQUE.includes(errcode)
}
