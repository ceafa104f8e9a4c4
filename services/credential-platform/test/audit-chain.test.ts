// What happens to the items of organizations cannot be rewritten quietly, and goes lawfully when its time is over.
import { DAY, plus } from '@chancela/service-kernel/clock'
import { AuditChain, readChain, verifyChain } from '@chancela/service-kernel/events'
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

test.each(Object.entries(testStores))('the events of organizations are chained, on %s', async (_name, open) => {
  const store = await open<Tables>(credentialPlatformSchema)
  const clock = testClock()
  const chain = new AuditChain({ kinds, clock })
  const times = { created_at: clock().toISOString(), updated_at: clock().toISOString() }
  await store.db
    .insertInto('subscription')
    .values({ id: 's1', name: 'A', disabled_at: null, ...times })
    .execute()
  const record = (id: string) =>
    recordEvents(
      store.db,
      [
        {
          subscription_id: 's1',
          type: 'DegreeCreated',
          actor_kind: 'user',
          actor_id: 'u1',
          actor_name: 'Ana',
          entity_type: 'Degree',
          entity_id: id,
          data: { n: 1 },
        },
      ],
      clock(),
    )
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
  const named = [...chainedEntityEvents.covered, 'chain_sequence']
  expect(rows.map(({ name }) => name).sort()).toStrictEqual(named.sort())
})
