// Finds items by their numbers. Words and institutions are sets of numbers, which are intersected in memory; numbers go
// up in the order of lists. Items that wait to be numbered are looked through.
import type { Db } from '@chancela/service-kernel/store'
import { type Selectable, type SqlBool, sql } from 'kysely'
import { NumberSet } from '../rules/number-set.ts'
import { instituteTerm, LONGEST, shelfOf, termOf } from './item-terms.ts'
import {
  all,
  type Condition,
  created,
  type FoundIds,
  type ItemsAsked,
  type Search,
  SHORTEST_BEGINNING,
  wordsIn,
} from './search-conditions.ts'
import type { SearchShelfRow } from './search-tables.ts'
import type { Tables } from './tables.ts'

/** What is read in several statements holds together where nothing was folded meanwhile. */
const ATTEMPTS = 3

export async function byNumbers(search: Search): Promise<FoundIds> {
  for (let attempt = 1; ; attempt += 1) {
    const shelf = await shelfIn(search)
    const found = await pageOf(search, shelf)
    if (attempt === ATTEMPTS || (await shelfIn(search)).folds === shelf.folds) return found
  }
}

type Shelf = Pick<Selectable<SearchShelfRow>, 'id' | 'next_number' | 'folds'>

const shelfIn = async ({ db, table, asked }: Search): Promise<Shelf> => {
  const named = db.selectFrom('search_shelf').where('name', '=', shelfOf(table, asked.subscriptionId))
  const row = await named.select(['id', 'next_number', 'folds']).executeTakeFirst()
  return row ?? { id: 0, next_number: 0, folds: 0 }
}

async function pageOf(search: Search, shelf: Shelf): Promise<FoundIds> {
  const waiting = await matchingWaiting(search, shelf)
  const numbers = await matchingNumbers(search, shelf)
  for (const { number } of waiting) if (number !== null) numbers.add(number)
  const unnumbered = waiting.filter(({ number }) => number === null)
  const candidates = merged(numbers, unnumbered)
  const checks = checksOf(search)
  const size = numbers.size() + unnumbered.length
  return checks.length === 0
    ? { ids: await idsOf(search.db, shelf, sliceOf(candidates, search.asked)), total: size }
    : checkedPage(search, shelf, candidates, checks, size)
}

/** What an item that waits has to be merged by: its number, or after which number its place is. */
interface WaitingHit {
  readonly item_id: string
  readonly number: number | null
  readonly after: number
}

async function matchingWaiting({ db, table, asked, words }: Search, shelf: Shelf): Promise<readonly WaitingHit[]> {
  const { subscriptionId, instituteId } = asked
  const where = [
    sql<SqlBool>`w.shelf = ${shelfOf(table, subscriptionId)}`,
    ...created('w', asked),
    ...(instituteId === undefined ? [] : [sql<SqlBool>`w.institute_id = ${instituteId}`]),
    ...wordsIn(db, words),
  ]
  const { rows } = await sql<Omit<WaitingHit, 'after'> & { readonly after: number | null }>`
    select w.item_id, n.number, case when n.number is null then (
      select b.number from search_number as b
      where b.shelf = ${shelf.id} and (b.created_at, b.item_id) < (w.created_at, w.item_id)
      order by b.created_at desc, b.item_id desc limit 1) end as after
    from search_waiting as w left join search_number as n on n.item_id = w.item_id
    where ${all(where)} order by w.created_at desc, w.item_id desc`.execute(db)
  return rows.map((row) => ({ ...row, after: row.after ?? -1 }))
}

async function matchingNumbers(search: Search, shelf: Shelf): Promise<NumberSet> {
  const { asked, words } = search
  const found = await createdIn(search, shelf)
  const institute = asked.instituteId === undefined ? [] : [{ from: instituteTerm(asked.instituteId), isWhole: true }]
  // The longest are probably the rarest, and leave few blocks to the others.
  const sought = words.toSorted((a, b) => b.length - a.length)
  const ranges = sought.map((word) => ({ from: termOf(word), isWhole: word.length < SHORTEST_BEGINNING }))
  for (const range of [...ranges, ...institute]) found.keep(await withTerm(search.db, shelf, range, found.blocks()))
  return found
}

/** The numbers of a time. */
async function createdIn({ db, asked: { from, to } }: Search, { id, next_number }: Shelf): Promise<NumberSet> {
  const firstFrom = async (time: string | undefined, otherwise: number) => {
    if (time === undefined) return otherwise
    const known = db.selectFrom('search_number').where('shelf', '=', id).where('created_at', '>=', time)
    const first = await known.select('number').orderBy('created_at').orderBy('item_id').limit(1).executeTakeFirst()
    return first?.number ?? next_number
  }
  return NumberSet.range(next_number, await firstFrom(from, 0), await firstFrom(to, next_number))
}

interface TermRange {
  readonly from: string
  /** Whether longer words are others. */
  readonly isWhole: boolean
}

async function withTerm(
  db: Db<Tables>,
  { id, next_number }: Shelf,
  { from, isWhole }: TermRange,
  blocks: readonly number[],
): Promise<NumberSet> {
  const set = new NumberSet(next_number)
  if (blocks.length === 0) return set
  const term = isWhole ? sql<SqlBool>`term = ${from}` : sql<SqlBool>`term >= ${from} and term < ${`${from}\u{10ffff}`}`
  const { rows } = await sql<{ block: number; numbers: Uint8Array }>`select block, numbers from search_block
    where shelf = ${sql.lit(id)} and block in (${sql.join(blocks.map((block) => sql.lit(block)))}) and ${term}`.execute(
    db,
  )
  for (const { block, numbers } of rows) set.addBlock(block, numbers)
  return set
}

/** A numbered item, or the id of one that waits. */
type Candidate = number | string

/** Both in the order of the list. */
function* merged(numbers: NumberSet, waiting: readonly WaitingHit[]): Generator<Candidate> {
  let next = 0
  for (const number of numbers.descending()) {
    for (; next < waiting.length && waiting[next]!.after >= number; next += 1) yield waiting[next]!.item_id
    yield number
  }
  for (; next < waiting.length; next += 1) yield waiting[next]!.item_id
}

function sliceOf(
  candidates: Iterable<Candidate>,
  { offset, limit }: Pick<ItemsAsked, 'offset' | 'limit'>,
): Candidate[] {
  const slice: Candidate[] = []
  let passed = 0
  for (const candidate of candidates) {
    passed += 1
    if (passed > offset) slice.push(candidate)
    if (slice.length === limit) break
  }
  return slice
}

async function idsOf(db: Db<Tables>, shelf: Shelf, candidates: readonly Candidate[]): Promise<readonly string[]> {
  const numbers = candidates.filter((candidate) => typeof candidate === 'number')
  if (numbers.length === 0) return candidates as readonly string[]
  const of = db.selectFrom('search_number').select(['number', 'item_id']).where('shelf', '=', shelf.id)
  const ids = new Map(
    (await of.where('number', 'in', numbers).execute()).map(({ number, item_id }) => [number, item_id]),
  )
  return candidates.flatMap((candidate) => (typeof candidate === 'string' ? candidate : (ids.get(candidate) ?? [])))
}

/** What numbers do not tell: states, which change, and what of long words the index leaves out. */
const checksOf = ({ db, asked: { statuses }, words }: Search): readonly Condition[] => [
  ...(statuses ? [sql<SqlBool>`d.status in (${sql.join([...statuses])})`] : []),
  ...wordsIn(
    db,
    words.filter(({ length }) => length > LONGEST),
  ),
]

/** Items whose rows are looked at in one statement. */
const CHECKED_AT_ONCE = 500
/** Most items whose rows are all looked at for the sake of the total. */
const COUNTED_ROWS = 1_000

/** Looks at the rows in the order of the list until the page is full; all of them, where they are few enough to count. */
async function checkedPage(
  search: Search,
  shelf: Shelf,
  candidates: Generator<Candidate>,
  checks: readonly Condition[],
  size: number,
): Promise<FoundIds> {
  const { asked } = search
  const isCounted = size <= COUNTED_ROWS
  const ids: string[] = []
  for (;;) {
    const slice = sliceOf(rest(candidates), { offset: 0, limit: CHECKED_AT_ONCE })
    ids.push(...(await holding(search, await idsOf(search.db, shelf, slice), checks)))
    const isEnd = slice.length < CHECKED_AT_ONCE
    if (isEnd || (!isCounted && ids.length >= asked.offset + asked.limit))
      return { ids: ids.slice(asked.offset, asked.offset + asked.limit), total: isEnd ? ids.length : null }
  }
}

/** What a generator has left; leaving the loop over it does not end it. */
const rest = <T>(generator: Generator<T>): Iterable<T> => ({
  [Symbol.iterator]: () => ({ next: () => generator.next() }),
})

async function holding({ db, table }: Search, ids: readonly string[], checks: readonly Condition[]) {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`select d.id from ${sql.table(table)} as d
    where d.id in (${sql.join(ids)}) and ${all(checks)}`.execute(db)
  const held = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => held.has(id))
}
