import { testStores } from '@chancela/testkit/stores'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { MoveTable } from '../states/index.ts'
import { type Migration, move, moving } from './index.ts'

type LampState = 'off' | 'on' | 'broken'

interface Tables {
  lamp: { id: string; state: LampState; watts: number; touched_by: string | null }
}

const lampMoves = {
  light: { from: ['off'], to: 'on' },
  drop: { from: ['off', 'on'], to: 'broken' },
} as const satisfies MoveTable<LampState>

const createLamp: Migration = {
  id: 1,
  name: 'lamp',
  breaking: false,
  up: async (db) => {
    await sql`create table lamp (id text primary key, state text not null, watts integer not null, touched_by text)`.execute(
      db,
    )
  },
}

const lamp = { table: 'lamp', column: 'state', id: 'l1', moves: lampMoves } as const

for (const [name, open] of Object.entries(testStores)) {
  const openWithLamp = async (state: LampState) => {
    const store = await open<Tables>({ lamps: [createLamp] })
    await store.db.insertInto('lamp').values({ id: 'l1', state, watts: 40, touched_by: null }).execute()
    return store
  }

  describe(`a move on ${name}`, () => {
    test('changes the state and what is set with it, and returns the row', async () => {
      const store = await openWithLamp('off')
      const moved = await move(store.db, { ...lamp, move: 'light', set: { touched_by: 'ana' } })
      expect(moved).toStrictEqual({ id: 'l1', state: 'on', watts: 40, touched_by: 'ana' })
    })

    test('of many rows changes those in a state it starts from, as far as the caller narrows it', async () => {
      const store = await openWithLamp('off')
      const more = [
        { id: 'l2', state: 'on', watts: 60, touched_by: null },
        { id: 'l3', state: 'broken', watts: 60, touched_by: null },
      ] as const
      await store.db.insertInto('lamp').values(more).execute()
      const drop = {
        table: 'lamp',
        column: 'state',
        moves: lampMoves,
        move: 'drop',
        set: { touched_by: 'ana' },
      } as const
      const dropped = await moving(store.db, drop).where('watts', '>', 50).returning('id').execute()
      expect(dropped).toEqual([{ id: 'l2' }])
      expect(await store.db.selectFrom('lamp').select(['id', 'state', 'touched_by']).orderBy('id').execute()).toEqual([
        { id: 'l1', state: 'off', touched_by: null },
        { id: 'l2', state: 'broken', touched_by: 'ana' },
        { id: 'l3', state: 'broken', touched_by: null },
      ])
    })

    test('starts from any of its states', async () => {
      for (const state of ['off', 'on'] as const) {
        const store = await openWithLamp(state)
        expect(await move(store.db, { ...lamp, move: 'drop' })).toMatchObject({ state: 'broken' })
      }
    })

    test('does nothing from any other state, nor to a row that is not there', async () => {
      const store = await openWithLamp('broken')
      expect(await move(store.db, { ...lamp, move: 'light', set: { watts: 60 } })).toBeUndefined()
      expect(await move(store.db, { ...lamp, id: 'l2', move: 'light' })).toBeUndefined()
      expect(await store.db.selectFrom('lamp').select(['state', 'watts']).execute()).toEqual([
        { state: 'broken', watts: 40 },
      ])
    })

    test('is won by one of ten workers', async () => {
      const store = await openWithLamp('off')
      const workers = await Promise.all([store, store.reopen()])
      const light = (worker: number) =>
        move(workers[worker % 2]!.db, { ...lamp, move: 'light', set: { touched_by: `worker ${worker}` } })
      const results = await Promise.all(Array.from({ length: 10 }, (_, worker) => light(worker)))
      const winners = results.filter((row) => row !== undefined)
      expect(winners).toHaveLength(1)
      expect(await store.db.selectFrom('lamp').selectAll().execute()).toEqual(winners)
    })

    test('is undone with the transaction it is part of', async () => {
      const store = await openWithLamp('off')
      const undone = store.transaction(async (tx) => {
        await move(tx, { ...lamp, move: 'light' })
        throw new Error('power cut')
      })
      await expect(undone).rejects.toThrow('power cut')
      expect(await store.db.selectFrom('lamp').select('state').execute()).toEqual([{ state: 'off' }])
    })

    test('is the only way to assign the state', async () => {
      const store = await openWithLamp('off')
      // @ts-expect-error the state is not among what may be set
      await expect(move(store.db, { ...lamp, move: 'light', set: { state: 'broken' } })).rejects.toThrow(
        'by a move only',
      )
      // @ts-expect-error there is no such move
      await expect(move(store.db, { ...lamp, move: 'explode' })).rejects.toThrow()
      expect(await store.db.selectFrom('lamp').select('state').execute()).toEqual([{ state: 'off' }])
    })
  })
}
