// Finds the items of a page. A rare word leads to its items by the index of words. Where every word is common, the newest
// items are looked through first: so many match that a page is usually full at once.
import { type Db, dialectOf } from '@chancela/service-kernel/store'
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
  /** Of the kinds that batches make. */
  readonly batchId?: string | undefined
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

/** How many items each way takes on. */
interface Limits {
  /** Most items of a word that are looked up at once. */
  readonly rare: number
  /** Newest items that are looked through where no word is rare. */
  readonly newest: number
  /** Most items of a word that are looked up where the newest did not fill the page. */
  readonly lookedUp: number
}

const LIMITS: Limits = { rare: 5_000, newest: 50_000, lookedUp: 20_000 }

/** Most items that are counted. */
const COUNTED = 10_000
/** Shorter words must match whole: too many words begin with one or two given letters. */
const SHORTEST_BEGINNING = 3

type Condition = RawBuilder<SqlBool>

/** Where items are looked for. */
interface Source {
  readonly rows: RawBuilder<unknown>
  readonly where: readonly Condition[]
}

export async function searchItems<Table extends SearchedTable>(
  db: Db<Tables>,
  table: Table,
  asked: ItemsAsked,
  { rare, newest, lookedUp }: Limits = LIMITS,
): Promise<FoundItems<DocumentTables[Table]>> {
  const words = soughtWords(asked.q ?? '')
  const shelf = shelfOf(table, asked.subscriptionId)
  const all: Source = { rows: sql`${sql.table(table)} as d`, where: [...columnsOf(asked), ...wordsOf(db, words)] }
  if (words.length === 0) return found(db, table, all, asked, true)
  const rarest = await rarestOf(db, shelf, words, rare)
  if (rarest.n <= rare) return found(db, table, withWord(all, table, shelf, rarest.word), asked, true)
  const recent = newestOf(db, table, { ...asked, newest }, words)
  const first = await found<DocumentTables[Table]>(db, table, recent, asked, false)
  if (first.items.length === asked.limit) return first
  const { word, n } = await rarestOf(db, shelf, words, lookedUp)
  return found(db, table, n <= lookedUp ? withWord(all, table, shelf, word) : all, asked, false)
}

/** The ids of the page first: rows are wide, and most of those that match are not on it. */
async function found<Row>(
  db: Db<Tables>,
  table: SearchedTable,
  { rows, where }: Source,
  { limit, offset }: ItemsAsked,
  isCounted: boolean,
): Promise<FoundItems<Row>> {
  const matching = sql`from ${rows} where ${sql.join([...where], sql` and `)}`
  const page = sql`select d.id ${matching} order by d.created_at desc, d.id desc limit ${limit} offset ${offset}`
  const items = await sql<Row>`select * from ${sql.table(table)} where id in (${page})
    order by created_at desc, id desc`.execute(db)
  if (!isCounted) return { items: items.rows, total: null }
  const n = await countUpTo(db, matching, COUNTED)
  return { items: items.rows, total: n > COUNTED ? null : n }
}

async function countUpTo(db: Db<Tables>, matching: RawBuilder<unknown>, most: number): Promise<number> {
  const { rows } = await sql<{ n: number | string }>`select count(*) as n from (
    select 1 ${matching} limit ${sql.lit(most + 1)}) as counted`.execute(db)
  return Number(rows[0]!.n)
}

const columnsOf = ({ subscriptionId, statuses, instituteId, batchId, from, to }: ItemsAsked): readonly Condition[] => [
  sql<SqlBool>`d.subscription_id = ${subscriptionId}`,
  ...(statuses ? [sql<SqlBool>`d.status in (${sql.join([...statuses])})`] : []),
  ...(instituteId === undefined ? [] : [sql<SqlBool>`d.institute_id = ${instituteId}`]),
  ...(batchId === undefined ? [] : [sql<SqlBool>`d.batch_id = ${batchId}`]),
  ...(from === undefined ? [] : [sql<SqlBool>`d.created_at >= ${from}`]),
  ...(to === undefined ? [] : [sql<SqlBool>`d.created_at < ${to}`]),
]

/** Every word of the search is the beginning of a word of the item, or a whole one where it is short. */
function wordsOf(db: Db<Tables>, words: readonly string[]): readonly Condition[] {
  const position = sql.raw(dialectOf(db) === 'sqlite' ? 'instr' : 'strpos')
  return words.map((word) =>
    word.length < SHORTEST_BEGINNING
      ? sql<SqlBool>`${position}(d.search_key || ' ', ${` ${word} `}) > 0`
      : sql<SqlBool>`${position}(d.search_key, ${` ${word}`}) > 0`,
  )
}

/** The entries of a word, or of all words that begin with it. */
function entriesOf(shelf: string, word: string): Condition {
  const term = termOf(word)
  return word.length < SHORTEST_BEGINNING
    ? sql<SqlBool>`shelf = ${shelf} and term = ${term}`
    : sql<SqlBool>`shelf = ${shelf} and term >= ${term} and term < ${`${term}\u{10ffff}`}`
}

// The cross join keeps SQLite from walking all items in the order of the list and asking for each whether it is a hit.
const withWord = ({ where }: Source, table: SearchedTable, shelf: string, word: string): Source => ({
  rows: sql`(select distinct item_id from item_term where ${entriesOf(shelf, word)}) as hit
    cross join ${sql.table(table)} as d`,
  where: [sql<SqlBool>`d.id = hit.item_id`, ...where],
})

const newestOf = (
  db: Db<Tables>,
  table: SearchedTable,
  asked: ItemsAsked & Pick<Limits, 'newest'>,
  words: readonly string[],
): Source => ({
  rows: sql`(select d.id, d.created_at, d.search_key from ${sql.table(table)} as d where ${sql.join([...columnsOf(asked)], sql` and `)}
    order by d.created_at desc, d.id desc limit ${sql.lit(asked.newest)}) as d`,
  where: wordsOf(db, words),
})

/** The word that the fewest items have, and how many have it, up to one more than asked for. */
async function rarestOf(db: Db<Tables>, shelf: string, words: readonly string[], most: number) {
  const counts = await Promise.all(
    words.map(async (word) => ({
      word,
      n: await countUpTo(db, sql`from item_term where ${entriesOf(shelf, word)}`, most),
    })),
  )
  return counts.toSorted((a, b) => a.n - b.n)[0]!
}
