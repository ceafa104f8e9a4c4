import { testStores } from '@chancela/testkit/stores'
import { type RawBuilder, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { containing, containingAnyCase, type Migration } from './index.ts'

interface Tables {
  word: { text: string }
}

const createWord: Migration = {
  id: 1,
  name: 'word',
  breaking: false,
  up: async (db) => void (await sql`create table word (text text not null)`.execute(db)),
}

for (const [name, open] of Object.entries(testStores)) {
  describe(`texts in a column on ${name}`, () => {
    const opened = async () => {
      const store = await open<Tables>({ words: [createWord] })
      const words = ['100% sure', 'snake_case', 'back\\slash', 'plain'].map((text) => ({ text }))
      await store.db.insertInto('word').values(words).execute()
      return async (condition: RawBuilder<boolean>) =>
        (await store.db.selectFrom('word').select('text').where(condition).execute()).map(({ text }) => text)
    }

    test.each([
      ['%', ['100% sure']],
      ['_', ['snake_case']],
      ['\\', ['back\\slash']],
      ['ain', ['plain']],
    ])('are found literally: %s', async (text, found) => {
      expect(await (await opened())(containing('text', text))).toEqual(found)
    })

    test('are found in any case where asked', async () => {
      const matching = await opened()
      expect(await matching(containingAnyCase('text', 'SNAKE_'))).toEqual(['snake_case'])
    })
  })
}
