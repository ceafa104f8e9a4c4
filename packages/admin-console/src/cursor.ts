// Cursors: the end of a page of a list, as text that the client sends back.
import { invalidField } from '@chancela/service-kernel/errors'

/** The sort keys of the last item of a page. */
type Keys = readonly string[]

export const DEFAULT_LIMIT = 50

export const writeCursor = (keys: Keys): string => Buffer.from(JSON.stringify(keys)).toString('base64url')

/** The keys after which a page begins; refused when this server did not write the text. */
export function readCursor(cursor: string, count: number): Keys {
  try {
    const keys: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(keys) && keys.length === count && keys.every(isKey)) return keys
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw foreignCursor()
}

/** Text that rows are compared with: PostgreSQL fails on the character U+0000, and no key has one. */
const isKey = (key: unknown): key is string => typeof key === 'string' && !key.includes('\u0000')

export const foreignCursor = () => invalidField('cursor', 'must be the nextCursor of a page')

/** A page from rows, of which one more than the limit was read, to know whether another page follows. */
export function pageFrom<Row, Item>(
  rows: readonly Row[],
  limit: number,
  view: (row: Row) => Item,
  keysOf: (row: Row) => Keys,
): { readonly items: readonly Item[]; readonly nextCursor: string | null } {
  const shown = rows.slice(0, limit)
  return { items: shown.map(view), nextCursor: rows.length > limit ? writeCursor(keysOf(shown.at(-1)!)) : null }
}
