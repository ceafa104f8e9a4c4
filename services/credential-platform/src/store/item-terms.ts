// The words by which items are found. A new item, or one with a new word, waits with its whole key; `foldWaiting` takes
// it into the blocks of numbers, which are read quickly, but would be slow to write item by item.
import type { Db } from '@chancela/service-kernel/store'
import type { DocumentTables } from './document-tables.ts'
import type { Tables } from './tables.ts'

export type SearchedTable = 'degree' | 'emission' | 'registration' | 'academic_transcript' | 'curriculum'

/** The part of the index that a list reads: one kind of one organization. */
export const shelfOf = (table: SearchedTable, subscriptionId: string): string => `${subscriptionId} ${table}`

/** The kind of items on a shelf. */
export const tableOf = (shelf: string): SearchedTable => shelf.slice(shelf.indexOf(' ') + 1) as SearchedTable

/** Longer words are found by their beginnings: databases limit the size of index entries. */
export const LONGEST = 200

/** A word as it stands in the index. */
export const termOf = (word: string): string => word.slice(0, LONGEST)

/** The institution of an item is found like a word; no word begins so. */
export const instituteTerm = (instituteId: string): string => `@${instituteId}`

/** Everything an item is found by. */
export const termsOf = (item: { readonly search_key: string; readonly institute_id: string }): readonly string[] => {
  const words = item.search_key.split(' ').filter((word) => word !== '')
  return [...new Set(words.map(termOf)), instituteTerm(item.institute_id)]
}

/** Most rows of one statement: databases limit its parameters. */
const AT_ONCE = 5_000

type Searched = Pick<DocumentTables['degree'], 'id' | 'subscription_id' | 'institute_id' | 'created_at' | 'search_key'>

/** Makes items findable by the words of their keys. A changed key has more words, never fewer. */
export async function addTerms(db: Db<Tables>, table: SearchedTable, items: readonly Searched[]): Promise<void> {
  const rows = items.map(({ id, subscription_id, institute_id, created_at, search_key }) => ({
    shelf: shelfOf(table, subscription_id),
    created_at,
    item_id: id,
    institute_id,
    search_key,
  }))
  for (let from = 0; from < rows.length; from += AT_ONCE)
    await db
      .insertInto('search_waiting')
      .values(rows.slice(from, from + AT_ONCE))
      .onConflict((conflict) =>
        conflict
          .columns(['shelf', 'created_at', 'item_id'])
          .doUpdateSet((of) => ({ search_key: of.ref('excluded.search_key') })),
      )
      .execute()
}
