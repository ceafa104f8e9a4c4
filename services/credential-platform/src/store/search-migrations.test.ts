import { migrate } from '@chancela/service-kernel/store'
import { testStores } from '@chancela/testkit/stores'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { foldWaiting } from './fold-waiting.ts'
import { searchItems } from './item-search.ts'
import { credentialPlatformSchema } from './migrations.ts'
import type { Tables } from './tables.ts'

const at = (minute: number) => `2026-11-01T00:0${minute}:00.000Z`

const insert = (id: number, name: string) =>
  `insert into curriculum (id, subscription_id, institute_id, version, status, search_key, code, course, ies_name,
    validation_code, created_at, updated_at, input)
  values ('c${id}', 's', 'i', '1.05', 'Concluded', ' ${name} direito', '${id}', 'Direito', 'I', '100.${id}', '${at(id)}', '', '{}')`

const { 'credential-search': _, ...before } = credentialPlatformSchema

for (const [name, open] of Object.entries(testStores)) {
  describe(`an instance whose items were found by rows of words, on ${name}`, () => {
    test('finds them as before, and numbers them', async () => {
      const store = await open<Tables>()
      await migrate(store, before)
      const statements = [
        `insert into subscription (id, name, created_at, updated_at) values ('s', 'S', '', '')`,
        `insert into institute (id, subscription_id, kind, name, code, cnpj, federal_system, public_url, data, created_at,
          updated_at) values ('i', 's', 'Issuer', 'I', '1', '1', 0, '', '{}', '', '')`,
        ...['ana', 'maria', 'mariana'].map((word, minute) => insert(minute, word)),
        `insert into item_term (shelf, term, item_id) values ('s curriculum', 'ana', 'c0')`,
      ]
      for (const statement of statements) await sql.raw(statement).execute(store.db)
      await migrate(store, credentialPlatformSchema)
      const find = async (q: string) => {
        const { items } = await searchItems(store.db, 'curriculum', { subscriptionId: 's', q, limit: 5, offset: 0 })
        return items.map(({ id }) => id)
      }
      for (const isFull of [true, false]) {
        expect([await find('direito'), await find('mari direito'), await find('ana')]).toEqual([
          ['c2', 'c1', 'c0'],
          ['c2', 'c1'],
          ['c0'],
        ])
        expect(await foldWaiting(store, 's curriculum', new Date('2026-12-01'), 3)).toBe(isFull)
      }
    })
  })
}
