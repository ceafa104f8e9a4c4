import { testStores } from '@chancela/testkit/stores'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { joinedStore, type Migration, type Store } from './index.ts'

interface Tables {
  note: { text: string }
}

const createNote: Migration = {
  id: 1,
  name: 'note',
  breaking: false,
  up: async (db) => void (await sql`create table note (text text not null)`.execute(db)),
}

/** A change as the kernel makes it: in a transaction of its own, with a notification. */
const write = (store: Store<Tables>, text: string): Promise<void> =>
  store.transaction(async (tx) => {
    await tx.insertInto('note').values({ text }).execute()
    await store.notify(tx, 'notes')
  })

for (const [name, open] of Object.entries(testStores)) {
  describe(`a joined store on ${name}`, () => {
    const notes = (store: Store<Tables>) => store.db.selectFrom('note').select('text').execute()

    test('writes what belongs together at once, and tells of it on commit', async () => {
      const store = await open<Tables>({ notes: [createNote] })
      const heard = vi.fn()
      store.listen('notes', heard)
      await store.transaction(async (tx) => {
        const joined = joinedStore(store, tx)
        await write(joined, 'first')
        expect(await notes(joined)).toEqual([{ text: 'first' }])
        await write(joined, 'second')
      })
      expect(await notes(store)).toEqual([{ text: 'first' }, { text: 'second' }])
      await vi.waitUntil(() => heard.mock.calls.length > 0)
    })

    test('leaves nothing when the transaction it joined comes to nothing', async () => {
      const store = await open<Tables>({ notes: [createNote] })
      const undone = store.transaction(async (tx) => {
        await write(joinedStore(store, tx), 'lost')
        throw new Error('power cut')
      })
      await expect(undone).rejects.toThrow('power cut')
      expect(await notes(store)).toEqual([])
    })
  })
}
