// The words by which items are found: a row for each, so that the items of a word are a range of the key.
import type { Db } from '@chancela/service-kernel/store'
import type { DocumentTables } from './document-tables.ts'
import type { Tables } from './tables.ts'

export type SearchedTable = 'degree' | 'emission' | 'registration' | 'academic_transcript' | 'curriculum'

/** The part of the index that a list reads: one kind of one organization. */
export const shelfOf = (table: SearchedTable, subscriptionId: string): string => `${subscriptionId} ${table}`

/** Longer words are found by their beginnings: databases limit the size of index entries. */
const LONGEST = 200

/** A word as it stands in the index. */
export const termOf = (word: string): string => word.slice(0, LONGEST)

/** Most rows of one statement: databases limit its parameters. */
const AT_ONCE = 5_000

type Searched = Pick<DocumentTables['degree'], 'id' | 'subscription_id' | 'search_key'>

/** Makes items findable by the words of their keys; a changed key adds words, and lists check the key itself. */
export async function addTerms(db: Db<Tables>, table: SearchedTable, items: readonly Searched[]): Promise<void> {
  const rows = items.flatMap(({ id, subscription_id, search_key }) =>
    [
      ...new Set(
        search_key
          .split(' ')
          .filter((word) => word !== '')
          .map(termOf),
      ),
    ].map((term) => ({
      shelf: shelfOf(table, subscription_id),
      term,
      item_id: id,
    })),
  )
  for (let from = 0; from < rows.length; from += AT_ONCE)
    await db
      .insertInto('item_term')
      .values(rows.slice(from, from + AT_ONCE))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}
