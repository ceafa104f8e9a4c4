import { randomBytes } from 'node:crypto'
import { testClock } from '@chancela/testkit/clock'
import { testStores } from '@chancela/testkit/stores'
import { describe, expect, test } from 'vitest'
import { DAY } from '../clock/index.ts'
import { databaseBlobs } from './database-blobs.ts'
import { blobMigrations } from './migrations.ts'
import { sweepOrphans } from './sweep-orphans.ts'

interface Tables {
  blob: { id: string; digest: string | null; stored_at: string; size: number }
  blob_chunk: { blob_id: string; position: number; bytes: Uint8Array }
}

const large = randomBytes(700_000)

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000)
}

for (const [name, open] of Object.entries(testStores)) {
  describe(`blobs in the database on ${name}`, () => {
    const world = async () => {
      const store = await open<Tables>({ blobs: blobMigrations })
      const clock = testClock()
      const chunks = () => store.db.selectFrom('blob_chunk').select('position').execute()
      return { store, clock, chunks, blobs: await databaseBlobs(store, { clock }) }
    }

    test('keep their bytes once, and nothing of uploads that failed', async () => {
      const { chunks, blobs } = await world()
      await blobs.put(inPieces(large))
      expect(await chunks()).toHaveLength(3)
      await blobs.put(inPieces(large))
      await blobs.put(large)
      await expect(blobs.put(inPieces(randomBytes(900_000)), { maxBytes: 800_000 })).rejects.toThrow('more than 800000')
      expect(await chunks()).toHaveLength(3)
      await blobs.delete((await blobs.put(large)).digest)
      expect(await chunks()).toHaveLength(0)
    })

    test('of an upload that a crash cut off are removed by a start a day later', async () => {
      const { store, clock, chunks, blobs } = await world()
      const stored_at = clock().toISOString()
      await store.db.insertInto('blob').values({ id: 'cut', digest: null, size: 0, stored_at }).execute()
      await store.db
        .insertInto('blob_chunk')
        .values({ blob_id: 'cut', position: 0, bytes: Buffer.from('a') })
        .execute()
      await databaseBlobs(store, { clock })
      expect(await chunks()).toHaveLength(1)
      for await (const blob of blobs.list()) expect(blob).toBeUndefined()
      clock.advance(DAY + 1)
      await databaseBlobs(store, { clock })
      expect(await chunks()).toHaveLength(0)
    })

    test('that are put again while a sweep asks about them are not taken', async () => {
      const { clock, blobs } = await world()
      for (const bytes of [large, randomBytes(10)]) {
        const { digest } = await blobs.put(bytes)
        clock.advance(2 * DAY)
        const putMeanwhile = async () => {
          await blobs.put(bytes)
          return new Set<string>()
        }
        expect(await sweepOrphans(blobs, putMeanwhile, DAY, clock())).toMatchObject({ seen: 1, removed: 0 })
        expect(await blobs.has(digest)).toBe(true)
        await blobs.delete(digest)
      }
    })
  })
}
