// Databases of versions that landed, kept by `node scripts/keep-databases.mjs`: the steps each had, and some rows. Steps
// never change (landed-steps.test.ts), so that those of a version make its schema again on either database.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openMasterKeys } from '@chancela/service-kernel/secrets'
import type { StatefulService } from '@chancela/service-kernel/service'
import { type MigrationSet, migrate, type Store } from '@chancela/service-kernel/store'
import { testStores } from '@chancela/testkit/stores'
import { describe, expect, test } from 'vitest'
import { services } from './services.ts'

const FOLDER = join(import.meta.dirname, '../test/databases')

/** The key that sealed what is kept; it protects nothing. */
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

type Row = Readonly<Record<string, unknown>>
type Tables = Record<string, Row>

interface Kept {
  /** The last step of each owner. */
  readonly steps: Readonly<Record<string, number>>
  readonly rows: Readonly<Record<string, readonly Row[]>>
}

const keptOf = (version: string, { name }: StatefulService): Kept =>
  JSON.parse(readFileSync(join(FOLDER, version, `${name}.json`), 'utf8')) as Kept

/** The steps the version had, owner by owner in the order of today. */
const setOf = ({ migrations }: StatefulService, { steps }: Kept): MigrationSet =>
  Object.fromEntries(Object.entries(migrations).map(([owner, all]) => [owner, all.slice(0, steps[owner] ?? 0)]))

async function fill({ db }: Store<Tables>, { rows }: Kept): Promise<void> {
  // Steps may have made rows themselves.
  for (const table of Object.keys(rows).reverse()) await db.deleteFrom(table).execute()
  for (const [table, all] of Object.entries(rows)) {
    const insert = db.insertInto(table).values([...all])
    await insert.execute()
  }
}

const stateful = services.filter((service): service is StatefulService => service.migrations !== undefined)
const cases = readdirSync(FOLDER).flatMap((version) =>
  readdirSync(join(FOLDER, version)).map((file) => {
    const service = stateful.find(({ name }) => `${name}.json` === file)!
    return [`${service.name} ${version}`, service, keptOf(version, service)] as const
  }),
)

for (const [database, open] of Object.entries(testStores))
  describe(`a kept database on ${database}`, () => {
    test.each(cases)('%s: is migrated, keeps its rows, and its master key fits', async (_, service, kept) => {
      const store = await open<Tables>(setOf(service, kept))
      await fill(store, kept)
      await migrate(store, service.migrations)
      for (const [table, rows] of Object.entries(kept.rows)) {
        const found = await store.db.selectFrom(table).selectAll().execute()
        expect(found).toHaveLength(rows.length)
        for (const row of rows) expect(found).toContainEqual(expect.objectContaining(row))
      }
      const keys = { service: service.name, masterKeyFile: '', masterKey: MASTER_KEY }
      await openMasterKeys(store, { ...keys, tables: service.sealedTables ?? [] })
    })
  })
