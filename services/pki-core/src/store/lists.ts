/** What every list of the management takes (pki-core facts 4.6). */
export interface ListAsked {
  /** Part of the name. */
  readonly q?: string | undefined
  readonly limit: number
  readonly offset: number
  readonly descending: boolean
}

interface Counting {
  executeTakeFirstOrThrow(): Promise<{ readonly total: number | string }>
}

/** PostgreSQL counts in text. */
export const totalOf = async (counting: Counting): Promise<number> =>
  Number((await counting.executeTakeFirstOrThrow()).total)
