// Whatever is numbered, waits, comes late or gets another word: a search finds what looking at every row would find.
import { newRowId } from '@chancela/service-kernel/store'
import { describe, expect, test } from 'vitest'
import { BLOCK_SIZE } from '../src/rules/number-set.ts'
import { soughtWords, wordKey } from '../src/rules/search-key.ts'
import { foldWaiting } from '../src/store/fold-waiting.ts'
import { searchItems } from '../src/store/item-search.ts'
import { addTerms, shelfOf } from '../src/store/item-terms.ts'
import type { ItemsAsked } from '../src/store/search-conditions.ts'
import { databases, instituteOf, organizationAt, sharedPlatform } from './test-support/credential-world.ts'
import { itemsAt } from './test-support/items.ts'

const MINUTE = 60_000
const SLICE = 7

/** Numbers from 0 up to one that seem random, and are the same at every run. */
function drawing(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

const words = ['maria', 'mariana', 'mar', 'silva', 'da', 'de', 'souza', 'direito', 'diretora', 'ana'] as const
const LONG = 'a'.repeat(230)

interface Item {
  readonly id: string
  readonly created_at: string
  readonly status: string
  readonly institute_id: string
  search_key: string
}

/** What the rule says of one item: every word is the beginning of one of its words, short ones a whole word. */
function matches({ status, institute_id, created_at, search_key }: Item, asked: ItemsAsked): boolean {
  const own = search_key.split(' ')
  const has = (word: string) => own.some((each) => (word.length < 3 ? each === word : each.startsWith(word)))
  return (
    soughtWords(asked.q ?? '').every(has) &&
    (asked.statuses?.includes(status) ?? true) &&
    (asked.instituteId ?? institute_id) === institute_id &&
    (asked.from ?? '') <= created_at &&
    created_at < (asked.to ?? '9')
  )
}

const newestFirst = (a: Item, b: Item) => (a.created_at + a.id < b.created_at + b.id ? 1 : -1)

for (const database of databases) {
  describe(`numbers of items on ${database}`, () => {
    const open = sharedPlatform(database)

    async function shelf(seed: number, firstNumber = 0) {
      const world = open()
      const { store, clock } = world
      const organization = await organizationAt(world)
      const institutes = [(await instituteOf(organization)).id, (await instituteOf(organization)).id] as const
      const draw = drawing(seed)
      const known: Item[] = []
      const anyWord = () => (draw(40) === 0 ? LONG + draw(3) : words[draw(words.length)]!)
      const texts = (count: number) => Array.from({ length: count }, anyWord)
      const { subscriptionId } = organization
      const name = shelfOf('degree', subscriptionId)
      if (firstNumber > 0)
        await store.db
          .insertInto('search_shelf')
          .values({ name, next_number: firstNumber, last_created_at: '', last_item_id: '', folds: 0 })
          .execute()
      const row = (id: string) =>
        store.db.selectFrom('degree').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      const indexed = async (id: string) => addTerms(store.db, 'degree', [await row(id)])
      return {
        world,
        draw,
        known,
        name,
        texts,
        institutes,
        subscriptionId,
        // Numbers that nobody has are counted where nothing but the place in the list is asked for.
        passed: firstNumber > 0 ? [5_000] : [0, 5_000],
        /** An item; late where it was created before others that are known. */
        async add(late = 0) {
          const at = new Date(clock().getTime() - late)
          const institute_id = institutes[draw(2)]!
          const status = ['Pending', 'Concluded', 'Suspended'][draw(3)]!
          const id = newRowId(at)
          const more = {
            id,
            status,
            institute_id,
            created_at: at.toISOString(),
            search_key: wordKey(texts(1 + draw(4))),
          }
          await itemsAt(world, { subscriptionId, instituteId: institute_id }).create('Degree', more, true)
          await indexed(id)
          known.push(more)
          clock.advance(1 + draw(3) * 500)
        },
        /** Another word of an item. */
        async addWord() {
          const item = known[draw(known.length)]!
          item.search_key += wordKey(texts(1))
          const { id, search_key } = item
          await store.db.updateTable('degree').set({ search_key }).where('id', '=', id).execute()
          await indexed(id)
        },
        fold: () => foldWaiting(store, name, new Date(clock().getTime() - MINUTE / 30), SLICE),
        anyTime: () => known[draw(known.length)]!.created_at,
        numbered: () =>
          store.db
            .selectFrom('search_number as n')
            .innerJoin('search_shelf as s', 's.id', 'n.shelf')
            .where('s.name', '=', name)
            .select(['n.number', 'n.item_id'])
            .orderBy('n.number')
            .execute(),
      }
    }

    async function compare({
      world,
      draw,
      known,
      texts,
      institutes,
      subscriptionId,
      anyTime,
      passed,
    }: Awaited<ReturnType<typeof shelf>>) {
      const asked: ItemsAsked = {
        subscriptionId,
        ...(draw(4) > 0 && { q: texts(1 + draw(3)).join(' ') }),
        ...(draw(3) === 0 && { statuses: ['Pending', 'Concluded'].slice(draw(2)) }),
        ...(draw(3) === 0 && { instituteId: institutes[draw(2)]! }),
        ...(draw(3) === 0 && { from: anyTime() }),
        ...(draw(3) === 0 && { to: anyTime() }),
        limit: 1 + draw(12),
        offset: draw(2) * draw(15),
      }
      const limits = { rare: draw(2) * 5_000, passed: passed[draw(passed.length)]!, counted: 10_000 }
      const { items, total } = await searchItems(world.store.db, 'degree', asked, limits)
      const expected = known.filter((item) => matches(item, asked)).toSorted(newestFirst)
      const { offset, limit } = asked
      expect([items.map(({ id }) => id), total ?? expected.length], JSON.stringify({ asked, limits })).toEqual([
        expected.slice(offset, offset + limit).map(({ id }) => id),
        expected.length,
      ])
    }

    test('a search finds what looking at every row would find, in the order of the list', async () => {
      const place = await shelf(11)
      const { draw } = place
      for (let round = 0; round < 60; round += 1) {
        await place.add(draw(6) === 0 ? draw(20) * 1_000 : 0)
        if (draw(3) === 0) await place.addWord()
        if (draw(3) === 0) await place.fold()
        for (let query = 0; query < 4; query += 1) await compare(place)
      }
      expect((await place.numbered()).length).toBeGreaterThan(SLICE)
    })

    test('the same where the numbers of a search are in two blocks', async () => {
      const place = await shelf(13, BLOCK_SIZE - 2 * SLICE)
      for (let at = 0; at < 4 * SLICE; at += 1) await place.add()
      place.world.clock.advance(MINUTE)
      while (await place.fold());
      expect((await place.numbered()).at(-1)!.number).toBeGreaterThan(BLOCK_SIZE)
      for (let query = 0; query < 40; query += 1) await compare(place)
    })

    test('items that come late are numbered among the others once they are as many as a slice', async () => {
      const place = await shelf(3)
      for (let at = 0; at < 2 * SLICE; at += 1) await place.add()
      place.world.clock.advance(MINUTE)
      while (await place.fold());
      expect((await place.numbered()).length).toBe(2 * SLICE)
      for (let at = 0; at < SLICE; at += 1) await place.add(2 * MINUTE)
      await compare(place)
      place.world.clock.advance(MINUTE)
      while (await place.fold());
      const order = place.known.toSorted(newestFirst).toReversed()
      expect((await place.numbered()).map(({ item_id }) => item_id)).toEqual(order.map(({ id }) => id))
      for (let query = 0; query < 20; query += 1) await compare(place)
    })

    test('two processes that number at once give every number once', async () => {
      const place = await shelf(5)
      for (let at = 0; at < 4 * SLICE; at += 1) await place.add()
      place.world.clock.advance(MINUTE)
      await Promise.all(Array.from({ length: 6 }, () => place.fold()))
      while (await place.fold());
      expect((await place.numbered()).map(({ number }) => number)).toEqual(place.known.map((_, at) => at))
      for (let query = 0; query < 20; query += 1) await compare(place)
    })
  })
}
