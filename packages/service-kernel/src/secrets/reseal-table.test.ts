import { randomBytes } from 'node:crypto'
import { testStores } from '@chancela/testkit/stores'
import type { Kysely } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { MigrationSet, Store } from '../store/store.ts'
import { keysInUse, openSecrets, resealTable, type Secrets, sealedTable } from './index.ts'

interface Tables {
  profile: { id: string; password: string | null; pkcs12: string | null }
}

const migrations: MigrationSet = {
  test: [
    {
      id: 1,
      name: 'profiles',
      breaking: false,
      up: async (db: Kysely<unknown>) => {
        const table = db.schema.createTable('profile').addColumn('id', 'text', (column) => column.primaryKey())
        await table.addColumn('password', 'text').addColumn('pkcs12', 'text').execute()
      },
    },
  ],
}

const contextOf = (id: string, column: string) => `profile/${id}/${column}`
const profiles = sealedTable<Tables['profile']>({
  table: 'profile',
  idColumn: 'id',
  columns: ['password', 'pkcs12'],
  context: ({ id }, column) => contextOf(id, column),
})

const [oldKey, newKey] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
const ring = (...keys: string[]): Secrets => openSecrets({ service: 'x', masterKeyFile: '', masterKey: keys.join(',') })
const [before, rotated, after] = [ring(oldKey), ring(oldKey, newKey), ring(newKey)]

/** The same database, but `work` runs after every read, before its caller continues. */
function afterReading<T extends object>(target: T, work: () => Promise<unknown>): T {
  const get = (_: T, name: string | symbol): unknown => {
    const member = Reflect.get(target, name) as unknown
    if (typeof member !== 'function') return member
    return (...args: unknown[]) => {
      const result = member.apply(target, args) as unknown
      if (name === 'execute') return (result as Promise<unknown>).then(async (rows) => work().then(() => rows))
      return typeof result === 'object' && result !== null ? afterReading(result, work) : result
    }
  }
  return new Proxy(target, { get })
}

for (const [name, open] of Object.entries(testStores)) {
  describe(`re-sealing a table on ${name}`, () => {
    async function storeWith(count: number) {
      const store = await open<Tables>(migrations)
      const rows = Array.from({ length: count }, (_, index) => String(index)).map((id) => ({
        id,
        password: before.seal(`password ${id}`, contextOf(id, 'password')),
        pkcs12: Number(id) % 2 ? null : before.seal(`pkcs12 ${id}`, contextOf(id, 'pkcs12')),
      }))
      await store.db.insertInto('profile').values(rows).execute()
      return store
    }

    async function passwordsUnder(secrets: Secrets, { db }: Store<Tables>): Promise<string[]> {
      const rows = await db.selectFrom('profile').selectAll().execute()
      return rows.map(({ id, password }) => secrets.openText(password!, contextOf(id, 'password'))).sort()
    }

    const expected = (count: number) => Array.from({ length: count }, (_, index) => `password ${index}`).sort()

    test('puts every value under the newest key, batch after batch, and finds nothing to do the second time', async () => {
      const store = await storeWith(210)
      expect(await resealTable(store, rotated, profiles)).toStrictEqual({
        resealed: 315,
        alreadyNewest: 0,
        changedMeanwhile: 0,
        unopened: [],
      })
      expect(await passwordsUnder(after, store)).toStrictEqual(expected(210))
      expect(await resealTable(store, rotated, profiles)).toMatchObject({ resealed: 0, alreadyNewest: 315 })
      expect([...(await keysInUse(store, [profiles]))]).toStrictEqual([after.newestKeyId()])
    })

    test('can be interrupted anywhere: everything opens, and the next run finishes the work', async () => {
      const store = await storeWith(210)
      let seen = 0
      const interrupted = {
        ...profiles,
        context: (row: { id: string }, column: string) => {
          seen += 1
          if (seen === 305) throw new Error('power cut')
          return contextOf(row.id, column)
        },
      }
      await expect(resealTable(store, rotated, interrupted)).rejects.toThrow('power cut')
      expect((await keysInUse(store, [profiles])).size).toBe(2)
      expect(await passwordsUnder(rotated, store)).toStrictEqual(expected(210))
      await resealTable(store, rotated, profiles)
      expect(await passwordsUnder(after, store)).toStrictEqual(expected(210))
    })

    test('keeps what somebody else wrote between its reading and its writing', async () => {
      const store = await storeWith(1)
      const theirs = rotated.seal('changed', contextOf('0', 'password'))
      const write = () => store.db.updateTable('profile').set({ password: theirs }).execute()
      const overtaken = { ...store, db: afterReading(store.db, write) }
      expect(await resealTable(overtaken, rotated, profiles)).toMatchObject({ resealed: 1, changedMeanwhile: 1 })
      expect(await passwordsUnder(rotated, store)).toStrictEqual(['changed'])
    })

    test('leaves values that do not open as they are, and names them', async () => {
      const store = await storeWith(3)
      const moved = before.seal('x', contextOf('9', 'password'))
      await store.db.updateTable('profile').set({ password: moved }).where('id', '=', '1').execute()
      await store.db.updateTable('profile').set({ password: 'damaged' }).where('id', '=', '2').execute()
      const report = await resealTable(store, rotated, profiles)
      expect(report).toMatchObject({ resealed: 3 })
      expect(report.unopened).toStrictEqual([
        { id: '1', column: 'password', code: 'secrets.not-authentic', keyId: expect.any(String) },
        { id: '2', column: 'password', code: 'secrets.malformed', keyId: undefined },
      ])
      expect(await keysInUse(store, [profiles])).toContain(before.newestKeyId())
    })
  })
}
