// What happens to the items of organizations cannot be rewritten quietly, and goes lawfully when its time is over.
import { DAY, plus } from '@chancela/service-kernel/clock'
import { AuditChain, exportEvents, readChain, verifyChain } from '@chancela/service-kernel/events'
import { migrate } from '@chancela/service-kernel/store'
import { testClock } from '@chancela/testkit/clock'
import { testStores } from '@chancela/testkit/stores'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { credentialPlatform } from '../src/index.ts'
import { chainedEntityEvents, recordEvents, sweepEvents } from '../src/store/entity-events.ts'
import { credentialPlatformSchema } from '../src/store/migrations.ts'
import type { Tables } from '../src/store/tables.ts'

const kinds = credentialPlatform.chained!

const intact = { problemCount: 0 }

const created = (id: string) => ({
  subscription_id: 's1',
  type: 'DegreeCreated',
  actor_kind: 'user' as const,
  actor_id: 'u1',
  actor_name: 'Ana',
  entity_type: 'Degree',
  entity_id: id,
  data: { n: 1 },
})

test.each(Object.entries(testStores))('the events of organizations are chained, on %s', async (_name, open) => {
  const store = await open<Tables>(credentialPlatformSchema)
  const clock = testClock()
  const chain = new AuditChain({ kinds, clock })
  const times = { created_at: clock().toISOString(), updated_at: clock().toISOString() }
  await store.db
    .insertInto('subscription')
    .values({ id: 's1', name: 'A', disabled_at: null, ...times })
    .execute()
  const record = (id: string) => recordEvents(store.db, [created(id)], clock())
  const verify = () => verifyChain(readChain(store.db, kinds))
  const old = clock()
  await record('d1')
  clock.advance(10 * DAY)
  await record('d2')
  while ((await store.transaction((tx) => chain.append(tx))) > 0);
  expect(await verify()).toMatchObject({ links: 2, ...intact })
  expect(await sweepEvents(store, chain, plus(old, DAY))).toBe(false)
  expect(await verify()).toMatchObject({ links: 3, removed: 1, ...intact })
  await sql`update entity_event set actor_name = 'Rui'`.execute(store.db)
  expect((await verify()).problems).toMatchObject([{ code: 'record-altered', sequence: 2 }])
})

test('every column of such an event is covered', async () => {
  const { db } = await testStores.SQLite<Tables>(credentialPlatformSchema)
  const { rows } = await sql<{ name: string }>`select name from pragma_table_info('entity_event')`.execute(db)
  const named = [...chainedEntityEvents.covered, ...chainedEntityEvents.added!, 'chain_sequence']
  expect(rows.map(({ name }) => name).sort()).toStrictEqual(named.sort())
})

/** As it was before events had addresses. */
const tenants = credentialPlatformSchema['credential-tenants']!
const before = { ...credentialPlatformSchema, 'credential-tenants': tenants.filter(({ id }) => id < 3) }

test.each(Object.entries(testStores))('links of before there were addresses still fit, on %s', async (_name, open) => {
  const store = await open<Tables>()
  await migrate(store, before)
  const clock = testClock()
  const at = clock().toISOString()
  await sql`insert into subscription (id, name, created_at, updated_at) values ('s1', 'A', ${at}, ${at})`.execute(
    store.db,
  )
  await sql`insert into entity_event
    (id, subscription_id, at, type, actor_kind, actor_id, actor_name, entity_type, entity_id, data)
    values ('e1', 's1', ${at}, 'DegreeCreated', 'user', 'u1', 'Ana', 'Degree', 'd1', '{"n":1}')`.execute(store.db)
  const old = new AuditChain({ kinds: [{ ...chainedEntityEvents, added: [] }], clock })
  while ((await store.transaction((tx) => old.append(tx))) > 0);
  await migrate(store, credentialPlatformSchema)
  const chain = new AuditChain({ kinds, clock })
  clock.advance(DAY)
  await recordEvents(store.db, [{ ...created('d2'), address: '203.0.113.7' }], clock())
  while ((await store.transaction((tx) => chain.append(tx))) > 0);
  const verify = () => verifyChain(readChain(store.db, kinds))
  expect(await verify()).toMatchObject({ links: 2, ...intact })
  await sql`update entity_event set address = '203.0.113.8' where id = 'e1'`.execute(store.db)
  expect((await verify()).problems).toMatchObject([{ code: 'record-altered', sequence: 1 }])
  await sql`update entity_event set address = null`.execute(store.db)
  expect((await verify()).problems).toMatchObject([{ code: 'record-altered', sequence: 2 }])
})

test.each(Object.entries(testStores))('exports have the events of organizations, on %s', async (_name, open) => {
  const store = await open<Tables>(credentialPlatformSchema)
  const clock = testClock()
  const times = { created_at: clock().toISOString(), updated_at: clock().toISOString() }
  await store.db
    .insertInto('subscription')
    .values({ id: 's1', name: 'A', disabled_at: null, ...times })
    .execute()
  const changes = { before: { status: 'Pending', token: 'x1' }, after: { status: 'Concluded', token: 'x2' } }
  const told = { ...created('d1'), type: 'DegreeConcluded', address: '203.0.113.7', changes }
  await recordEvents(store.db, [told], clock())
  const exported = async (format: 'csv' | 'jsonl') => {
    let text = ''
    const asked = { format, language: 'pt-BR', kinds, textIn: credentialPlatform.eventText! } as const
    for await (const line of exportEvents(store.db, asked)) text += line
    return text
  }
  expect(JSON.parse(await exported('jsonl'))).toMatchObject({
    type: 'DegreeConcluded',
    actor: 'Ana',
    address: '203.0.113.7',
    subject: { kind: 'Degree', id: 'd1' },
    text: 'Diploma concluído.',
    changes: { before: { status: 'Pending' }, after: { status: 'Concluded' } },
    data: { subscriptionId: 's1', actor: { type: 'user', id: 'u1' }, details: { n: 1 } },
  })
  expect(await exported('csv')).toMatch(
    /DegreeConcluded.*Diploma concluído\..*Ana.*203\.0\.113\.7.*Degree.*d1.*Concluded/,
  )
  expect(await exported('jsonl')).not.toMatch(/x[12]/)
})
