// The entries of all organizations are one chain of the service, besides the one each organization has.
import { DAY, plus } from '@chancela/service-kernel/clock'
import { AuditChain, readChain, verifyChain } from '@chancela/service-kernel/events'
import { testStores } from '@chancela/testkit/stores'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { documentPlatform } from '../src/index.ts'
import { chainedAuditEntries, sweepEntries } from '../src/store/audit-entries.ts'
import { documentPlatformSchema } from '../src/store/migrations.ts'
import type { Tables } from '../src/store/tables.ts'
import { databases, type PlatformWorld, sharedPlatform, startPlatform } from './test-support/platform-world.ts'

const kinds = documentPlatform.chained!

const verified = ({ store }: Pick<PlatformWorld, 'store'>) => verifyChain(readChain(store.db, kinds))

const chainOf = ({ clock }: Pick<PlatformWorld, 'clock'>) => new AuditChain({ kinds, clock })

/** Until every entry has its link. */
const linked = (world: Pick<PlatformWorld, 'store' | 'clock'>) =>
  vi.waitUntil(async () => !(await chainOf(world).isWaiting(world.store.db)), { interval: 20 })

const applications = ({ organization }: PlatformWorld) => `/api/organizations/${organization.id}/applications`

async function withEntries(world: PlatformWorld) {
  for (const name of ['a', 'b']) await world.json('POST', applications(world), { name })
  await linked(world)
  return world
}

const verdictOf = async (world: Pick<PlatformWorld, 'json' | 'organization'>) =>
  (await world.json('GET', `/api/organizations/${world.organization.id}/audit/verification`)).body

describe.each(databases)('the chain of the document platform on %s', (database) => {
  const platform = sharedPlatform(database)

  test('has every entry of every organization, with a signed checkpoint after the stop', async () => {
    const world = await withEntries(await startPlatform(database))
    const other = await world.json('GET', '/api/ready')
    expect(JSON.stringify(other.body)).toContain('audit-chain')
    const { links, problemCount } = await verified(world)
    expect([links, problemCount]).toEqual([4, 0])
    await world.stop()
    expect((await verified(world)).signedUpTo).toBe(4)
  })

  test('loses the oldest entries with a link that says so', async () => {
    const world = await withEntries(await platform())
    const old = world.clock()
    world.clock.advance(10 * DAY)
    await world.json('POST', applications(world), { name: 'c' })
    const { id } = world.organization
    const { removed } = await verified(world)
    expect(await sweepEntries(world.store, chainOf(world), id, plus(old, DAY))).toBe(false)
    expect(await sweepEntries(world.store, chainOf(world), id, plus(old, DAY))).toBe(false)
    expect(await verified(world)).toMatchObject({ removed: removed + 4, problemCount: 0 })
    expect(await verdictOf(world)).toMatchObject({ isIntact: true, entries: 2, first: { number: 5 } })
  })

  const tampering: Readonly<Record<string, (id: string) => readonly ReturnType<typeof sql>[]>> = {
    'the latest entries were cut off, and the end of the organization put back': (id) => [
      sql`delete from audit_entry where organization_id = ${id} and number > 2`,
      sql`update organization_audit set number = 2, hash =
        (select hash from audit_entry where organization_id = ${id} and number = 2) where organization_id = ${id}`,
    ],
    'all entries were removed, and the place of the end': (id) => [
      sql`delete from audit_entry where organization_id = ${id}`,
      sql`delete from organization_audit where organization_id = ${id}`,
    ],
    'the link of an entry was changed': (id) => [
      sql`update audit_chain set record_sha256 = 'ab' where sequence =
        (select chain_sequence from audit_entry where organization_id = ${id} and number = 2)`,
    ],
    'entries were given one another’s links': (id) => [
      sql`update audit_entry set chain_sequence = chain_sequence - 1 where organization_id = ${id} and number = 3`,
    ],
  }

  test.each(Object.entries(tampering))('shows an organization that %s', async (_what, statements) => {
    const world = await withEntries(await platform())
    expect(await verdictOf(world)).toMatchObject({ isIntact: true, entries: 4 })
    for (const statement of statements(world.organization.id)) await statement.execute(world.store.db)
    const { isIntact, brokenAt } = await verdictOf(world)
    expect([isIntact, brokenAt]).toEqual([false, expect.any(Number)])
  })

  test('begins with the entries that an older version left, which stay what they were', async () => {
    const before = await withEntries(await startPlatform(database))
    const { last } = await verdictOf(before)
    await before.stop()
    await asOlderVersion(before.store.db)
    const world = await startPlatform(database, { after: before })
    await linked(world)
    expect(await verified(world)).toMatchObject({ links: 4, problemCount: 0 })
    expect(await verdictOf(world)).toMatchObject({ isIntact: true, entries: 4, last })
    await world.json('POST', applications(world), { name: 'c' })
    expect(await verdictOf(world)).toMatchObject({ isIntact: true, entries: 6, first: { number: 1 } })
  })
})

/** Takes back what the steps of the chain did. */
async function asOlderVersion(db: PlatformWorld['store']['db']): Promise<void> {
  const statements = [
    'drop index audit_chain_record',
    ...['audit_entry', 'audit_event'].flatMap((table) => [
      `drop index ${table}_unchained`,
      `drop index ${table}_chained`,
      `alter table ${table} drop column chain_sequence`,
    ]),
    'drop table audit_chain',
    'alter table organization_audit rename to audit_chain',
    'delete from audit_checkpoint',
    'delete from audit_key',
    `delete from schema_migration where owner in ('audit-places', 'audit-chain', 'audit-entries')`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

test('every column of an entry is covered', async () => {
  const { db } = await testStores.SQLite<Tables>(documentPlatformSchema)
  const { rows } = await sql<{ name: string }>`select name from pragma_table_info('audit_entry')`.execute(db)
  expect(rows.map(({ name }) => name).sort()).toStrictEqual([...chainedAuditEntries.covered, 'chain_sequence'].sort())
})
