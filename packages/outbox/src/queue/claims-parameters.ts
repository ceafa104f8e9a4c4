import type { Claim } from './job.ts'

/** Claims as one JSON text for SQLite, read by `json_each` as rows of id and token. */
export const claimsAsJson = (claims: readonly Claim[]): string =>
  JSON.stringify(claims.map(({ id, token }) => [id, token]))

/** Claims for PostgreSQL: one array per column, joined by `unnest`. */
export const claimsAsArrays = (claims: readonly Claim[]): readonly [ids: string[], tokens: string[]] => [
  claims.map(({ id }) => id),
  claims.map(({ token }) => token),
]
