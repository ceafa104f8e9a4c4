// Finds the items of a page. A rare word leads to its items by the index of words; where every word is common, the items
// are walked from the newest, and so many of them match that a page is soon full.
import { type Db, dialectOf, tablesOf } from '@chancela/service-kernel/store'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { soughtWords } from '../rules/search-key.ts'
import type { DocumentTables } from './document-tables.ts'
import { type SearchedTable, shelfOf, termOf } from './item-terms.ts'
import type { Tables } from './tables.ts'

/** The filter of a list, and which page of it. */
export interface ItemsAsked {
  readonly subscriptionId: string
  readonly q?: string | undefined
  readonly statuses?: readonly string[] | undefined
  readonly instituteId?: string | undefined
  /** Of the creation; the second is exclusive. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly limit: number
  readonly offset: number
}

export interface FoundItems<Row> {
  readonly items: readonly Row[]
  /** Null where there are more than are counted, or counting would take longer than finding. */
  readonly total: number | null
}

/** Most items of a word that are looked up one by one. */
const RARE = 20_000
/** Most items that are counted. */
const COUNTED = 10_000
/** Shorter words must match whole: too many words begin with one or two given letters. */
const SHORTEST_BEGINNING = 3

interface AnyItem {
  id: string
  subscription_id: string
  institute_id: string
  status: string
  search_key: string
  created_at: string
}

// Kysely cannot follow a table named by a type parameter; the signature below checks the name.
const rows = tablesOf<{ row: AnyItem }>()

export async function searchItems<Table extends SearchedTable>(
  db: Db<Tables>,
  table: Table,
  asked: ItemsAsked,
): Promise<FoundItems<DocumentTables[Table]>> {
  const words = soughtWords(asked.q ?? '')
  const shelf = shelfOf(table, asked.subscriptionId)
  const rarest = await rarestOf(db, shelf, words)
  const matching = filtered(db, table, asked, words)
  const narrowed = rarest?.isRare
    ? matching.where('id', 'in', sql<string>`(select item_id from item_term where ${inRange(shelf, rarest.word)})`)
    : matching
  const items = await narrowed
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(asked.limit)
    .offset(asked.offset)
    .execute()
  const total = rarest && !rarest.isRare ? null : await countUpTo(db, narrowed.select('id').limit(COUNTED + 1))
  return { items: items as unknown as DocumentTables[Table][], total }
}

function filtered(db: Db<Tables>, table: SearchedTable, asked: ItemsAsked, words: readonly string[]) {
  const { subscriptionId, statuses, instituteId, from, to } = asked
  const position = sql.raw(dialectOf(db) === 'sqlite' ? 'instr' : 'strpos')
  let query = rows(db)
    .selectFrom(table as 'row')
    .where('subscription_id', '=', subscriptionId)
  if (statuses !== undefined) query = query.where('status', 'in', [...statuses])
  if (instituteId !== undefined) query = query.where('institute_id', '=', instituteId)
  if (from !== undefined) query = query.where('created_at', '>=', from)
  if (to !== undefined) query = query.where('created_at', '<', to)
  for (const word of words)
    query = query.where(
      word.length < SHORTEST_BEGINNING
        ? sql<SqlBool>`${position}(search_key || ' ', ${` ${word} `}) > 0`
        : sql<SqlBool>`${position}(search_key, ${` ${word}`}) > 0`,
    )
  return query
}

/** The entries of a word, or of all words that begin with it. */
function inRange(shelf: string, word: string): RawBuilder<SqlBool> {
  const term = termOf(word)
  return word.length < SHORTEST_BEGINNING
    ? sql<SqlBool>`shelf = ${shelf} and term = ${term}`
    : sql<SqlBool>`shelf = ${shelf} and term >= ${term} and term < ${`${term}\u{10ffff}`}`
}

/** The word that the fewest items have; undefined without words. */
async function rarestOf(db: Db<Tables>, shelf: string, words: readonly string[]) {
  const counts = await Promise.all(
    words.map(async (word) => {
      const query = sql<{ n: number | string }>`select count(*) as n from (
        select 1 from item_term where ${inRange(shelf, word)} limit ${sql.lit(RARE + 1)}) as found`
      return { word, n: Number((await query.execute(db)).rows[0]!.n) }
    }),
  )
  const rarest = counts.toSorted((a, b) => a.n - b.n)[0]
  return rarest && { word: rarest.word, isRare: rarest.n <= RARE }
}

async function countUpTo(db: Db<Tables>, query: { as(alias: 'found'): unknown }): Promise<number | null> {
  const { rows: found } = await sql<{ n: number | string }>`select count(*) as n from ${query.as('found')}`.execute(db)
  const n = Number(found[0]!.n)
  return n > COUNTED ? null : n
}
