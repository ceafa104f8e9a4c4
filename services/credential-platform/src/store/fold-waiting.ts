// Takes waiting items into the blocks: numbers them in the order of lists, and marks their numbers with each word.
import type { Db, Store } from '@chancela/service-kernel/store'
import { dialectOf } from '@chancela/service-kernel/store'
import { type Selectable, sql, type Transaction } from 'kysely'
import { BLOCK_SIZE, blockOf, placeOf, withPlaces } from '../rules/number-set.ts'
import { tableOf, termsOf } from './item-terms.ts'
import type { SearchShelfRow } from './search-tables.ts'
import type { Tables } from './tables.ts'

/** Items of one transaction: enough that a block is not written for each of them, few enough that nobody waits long. */
const SLICE = 500

type Shelf = Selectable<SearchShelfRow>

/** An item that waits; numbered where it only has a new word. */
interface Waiting {
  readonly created_at: string
  readonly item_id: string
  readonly institute_id: string
  readonly search_key: string
  readonly number: number | null
}

type Numbered = Waiting & { readonly number: number }

/** The shelf after this one on which items wait. */
export async function nextWaitingShelf(db: Db<Tables>, after: string): Promise<string | undefined> {
  const query = db.selectFrom('search_waiting').select('shelf').where('shelf', '>', after).orderBy('shelf')
  return (await query.limit(1).executeTakeFirst())?.shelf
}

/**
 * Takes a slice of items that were created before a moment into the blocks; whether it was full, so that there may be
 * more. Fewer are left waiting: looking through them takes no time.
 */
export const foldWaiting = (store: Store<Tables>, name: string, before: Date, slice = SLICE): Promise<boolean> =>
  store.transaction(async (tx) => {
    const shelf = await lockShelf(tx, name)
    const late = await waitingItems(tx, shelf, before, 'late', slice)
    if (late.length === slice) return reopen(tx, shelf, late[0]!)
    const items = await waitingItems(tx, shelf, before, 'inOrder', slice)
    if (items.length < slice) return false
    await markWords(tx, shelf.id, await numbered(tx, shelf, items))
    await sql`delete from search_waiting where shelf = ${name} and created_at >= ${items[0]!.created_at}
      and created_at <= ${items.at(-1)!.created_at} and item_id in (${idsOf(items)})`.execute(tx)
    return true
  })

const idsOf = (items: readonly Waiting[]) => sql.join(items.map(({ item_id }) => item_id))

/** One process at a time works on a shelf: the row is locked by being written. */
const lockShelf = (tx: Transaction<Tables>, name: string): Promise<Shelf> =>
  tx
    .insertInto('search_shelf')
    .values({ name, next_number: 0, last_created_at: '', last_item_id: '', folds: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ folds: sql`search_shelf.folds + 1` }))
    .returningAll()
    .executeTakeFirstOrThrow()

const end = ({ last_created_at, last_item_id }: Shelf) => sql`(${last_created_at}, ${last_item_id})`

/** Numbers go up in the order of lists; an item that became visible after a later one was numbered has no place. */
const orders = {
  inOrder: (shelf: Shelf) => sql`((w.created_at, w.item_id) > ${end(shelf)} or n.number is not null)`,
  late: (shelf: Shelf) => sql`(w.created_at, w.item_id) <= ${end(shelf)} and n.number is null`,
}

/** The oldest first. What another transaction is changing is left to the next time: nobody waits for each other. */
async function waitingItems(
  tx: Transaction<Tables>,
  shelf: Shelf,
  before: Date,
  order: keyof typeof orders,
  limit: number,
): Promise<readonly Waiting[]> {
  const locking = sql.raw(dialectOf(tx) === 'postgres' ? 'for update of w skip locked' : '')
  const { rows } = await sql<Waiting>`select w.created_at, w.item_id, w.institute_id, w.search_key, n.number
    from search_waiting as w left join search_number as n on n.item_id = w.item_id
    where w.shelf = ${shelf.name} and w.created_at < ${before.toISOString()} and ${orders[order](shelf)}
    order by w.created_at, w.item_id limit ${sql.lit(limit)} ${locking}`.execute(tx)
  return rows
}

/** Gives the next numbers to those that have none. */
async function numbered(
  tx: Transaction<Tables>,
  shelf: Shelf,
  items: readonly Waiting[],
): Promise<readonly Numbered[]> {
  const fresh = items
    .filter(({ number }) => number === null)
    .map((item, at) => ({ ...item, number: shelf.next_number + at }))
  const last = fresh.at(-1)
  if (last) {
    const rows = fresh.map(({ number, created_at, item_id }) => ({ shelf: shelf.id, number, created_at, item_id }))
    await tx.insertInto('search_number').values(rows).execute()
    await moveEnd(tx, shelf.id, last.number + 1, last)
  }
  return [...items.filter((item): item is Numbered => item.number !== null), ...fresh]
}

const moveEnd = (
  tx: Transaction<Tables>,
  id: number,
  next_number: number,
  { created_at, item_id }: Pick<Waiting, 'created_at' | 'item_id'>,
) =>
  tx
    .updateTable('search_shelf')
    .set({ next_number, last_created_at: created_at, last_item_id: item_id })
    .where('id', '=', id)
    .execute()

async function markWords(tx: Transaction<Tables>, shelf: number, items: readonly Numbered[]): Promise<void> {
  for (const block of new Set(items.map(({ number }) => blockOf(number))))
    await markBlock(tx, shelf, block, placesByTerm(items.filter(({ number }) => blockOf(number) === block)))
}

function placesByTerm(items: readonly Numbered[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  for (const item of items)
    for (const term of termsOf(item)) places.set(term, [...(places.get(term) ?? []), placeOf(item.number)])
  return places
}

/** Words of one statement: databases limit its parameters. */
const WORDS_AT_ONCE = 2_000

async function markBlock(
  tx: Transaction<Tables>,
  shelf: number,
  block: number,
  marks: ReadonlyMap<string, readonly number[]>,
): Promise<void> {
  const terms = [...marks.keys()]
  for (let from = 0; from < terms.length; from += WORDS_AT_ONCE) {
    const some = terms.slice(from, from + WORDS_AT_ONCE)
    const of = tx.selectFrom('search_block').where('shelf', '=', shelf).where('block', '=', block)
    const kept = await of.where('term', 'in', some).select(['term', 'numbers']).execute()
    const known = new Map(kept.map(({ term, numbers }) => [term, numbers]))
    const rows = some.map((term) => ({ shelf, block, term, numbers: withPlaces(known.get(term), marks.get(term)!) }))
    await tx
      .insertInto('search_block')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['shelf', 'block', 'term'])
          .doUpdateSet((written) => ({ numbers: written.ref('excluded.numbers') })),
      )
      .execute()
  }
}

/** Numbers from the block of the first late item on are given anew: those that had them wait again, in order. */
async function reopen(tx: Transaction<Tables>, { id, name }: Shelf, first: Waiting): Promise<true> {
  const { rows } = await sql<{ number: number }>`select number from search_number where shelf = ${id}
    and (created_at, item_id) > (${first.created_at}, ${first.item_id}) order by created_at, item_id limit 1`.execute(
    tx,
  )
  const from = Math.floor(rows[0]!.number / BLOCK_SIZE) * BLOCK_SIZE
  await sql`insert into search_waiting (shelf, created_at, item_id, institute_id, search_key)
    select ${name}, n.created_at, n.item_id, d.institute_id, d.search_key
    from search_number as n join ${sql.table(tableOf(name))} as d on d.id = n.item_id
    where n.shelf = ${id} and n.number >= ${from} on conflict do nothing`.execute(tx)
  await sql`delete from search_number where shelf = ${id} and number >= ${from}`.execute(tx)
  await sql`delete from search_block where shelf = ${id} and block >= ${blockOf(from)}`.execute(tx)
  const before = tx
    .selectFrom('search_number')
    .where('shelf', '=', id)
    .where('number', '=', from - 1)
  const last = await before.select(['created_at', 'item_id']).executeTakeFirst()
  await moveEnd(tx, id, from, last ?? { created_at: '', item_id: '' })
  return true
}
