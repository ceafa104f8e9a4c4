// What is removed when its time is over, and what is not.
import { openBlobStore } from '@chancela/service-kernel/blobs'
import { DAY, HOUR } from '@chancela/service-kernel/clock'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { blobTables } from '../src/store/blob-references.ts'
import { databases, organizationAt, startPlatform, testOnce } from './test-support/credential-world.ts'
import { sampleInstitute } from './test-support/samples.ts'

const soon = { interval: 20 }

/** The blobs themselves, where the database has them. */
const kernelTables = new Set(['blob'])

for (const database of databases) {
  describe(`sweeps on ${database}`, () => {
    test('bytes that no row refers to are removed after a day, and no others', async () => {
      const world = await startPlatform(database)
      const blobs = await openBlobStore(world.settings.Storage, world.context)
      onTestFinished(() => blobs.close())
      const kept = await blobs.put(Buffer.from('kept'))
      const orphan = await blobs.put(Buffer.from('orphan'))
      const file = { item_id: crypto.randomUUID(), name: 'xml', version: 1, digest: kept.digest, bytes: kept.size }
      await world.store.db
        .insertInto('item_file')
        .values({ ...file, media_type: 'application/xml', created_at: world.clock().toISOString() })
        .execute()
      // Files know when they were stored by the real time.
      world.clock.set(new Date(Date.now() + 2 * DAY))
      await world.store.notify(world.store.db, 'look-now')
      await vi.waitFor(async () => expect(await blobs.has(orphan.digest)).toBe(false), soon)
      expect(await blobs.has(kept.digest)).toBe(true)
    })

    testOnce(database)('every table with a digest is asked before bytes are removed', async () => {
      const world = await startPlatform(database)
      const tables = await world.store.db.introspection.getTables()
      const own = tables.filter(({ name }) => !kernelTables.has(name))
      const named = own.filter(({ columns }) => columns.some(({ name }) => name === 'digest')).map(({ name }) => name)
      expect([...new Set(named)].toSorted()).toEqual(blobTables.toSorted())
    })

    test('an Idempotency-Key is forgotten after its hours, and events after their days', async () => {
      const world = await startPlatform(database, { Api: { IdempotencyHours: 1, EventDays: 30 } })
      const { json } = await organizationAt(world)
      const key = { 'Idempotency-Key': crypto.randomUUID() }
      const first = await json('POST', '/api/institutes', sampleInstitute(), key)
      expect(first.status).toBe(201)
      world.clock.advance(2 * HOUR)
      await world.store.notify(world.store.db, 'look-now')
      const replays = () => world.store.db.selectFrom('creation_replay').selectAll().execute()
      await vi.waitFor(async () => expect(await replays()).toEqual([]), soon)
      const again = await json('POST', '/api/institutes', sampleInstitute(), key)
      expect([again.status, again.body.id === first.body.id]).toEqual([201, false])
      const events = async () => (await json('GET', '/api/events')).body.items
      expect((await events()).length).toBeGreaterThan(2)
      world.clock.advance(31 * DAY)
      await world.store.notify(world.store.db, 'look-now')
      await vi.waitFor(async () => expect(await events()).toEqual([]), soon)
    })
  })
}
