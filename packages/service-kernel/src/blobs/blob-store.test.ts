import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { testStores } from '@chancela/testkit/stores'
import { whenDone } from '@chancela/testkit/test-files'
import { temporaryFolder } from '@chancela/testkit/tools'
import { beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../clock/index.ts'
import { BlobMissing, type BlobStore, BlobTooLarge, type ListedBlob } from './blob-store.ts'
import { blobsCheck } from './blobs-check.ts'
import { blobMigrations } from './migrations.ts'
import { openBlobStore } from './open-blob-store.ts'
import type { StorageSettings } from './storage-settings.ts'
import { sweepOrphans } from './sweep-orphans.ts'
import { s3Account, startS3 } from './test-support/start-s3.ts'

const noS3 = { Endpoint: '', Region: '', Bucket: '', Prefix: '', AccessKeyId: '', SecretAccessKey: '' }

async function open(settings: Partial<StorageSettings>, store: 'SQLite' | 'PostgreSQL' = 'SQLite'): Promise<BlobStore> {
  const blobs = await openBlobStore(
    { Kind: 'FileSystem', Folder: 'blobs', S3: noS3, ...settings },
    { dataFolder: temporaryFolder(), store: await testStores[store]({ blobs: blobMigrations }), clock: systemClock },
  )
  whenDone(() => blobs.close())
  return blobs
}

async function openS3(): Promise<BlobStore> {
  const { endpoint } = await startS3()
  const { region, bucket, accessKeyId, secretAccessKey } = s3Account
  const S3 = {
    Endpoint: endpoint,
    Region: region,
    Bucket: bucket,
    Prefix: 'a folder/b&c+d/',
    AccessKeyId: accessKeyId,
    SecretAccessKey: secretAccessKey,
  }
  return open({ Kind: 'S3', S3 })
}

const kinds: Readonly<Record<string, () => Promise<BlobStore>>> = {
  'the file system': () => open({ Kind: 'FileSystem' }),
  SQLite: () => open({ Kind: 'Database' }),
  PostgreSQL: () => open({ Kind: 'Database' }, 'PostgreSQL'),
  S3: openS3,
}

const hashed = (name: string, bytes: Uint8Array) => createHash(name).update(bytes).digest('hex')

async function* inPieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

const listed = async (blobs: BlobStore): Promise<ListedBlob[]> =>
  (await collect(blobs.list())).sort((a, b) => (a.digest < b.digest ? -1 : 1))

const HOUR = 3_600_000
const later = (hours: number) => new Date(Date.now() + hours * HOUR)

test('the check of blobs writes every time, and fails with bytes that come back changed', async () => {
  const blobs = await kinds['the file system']!()
  const put: string[] = []
  const watched: BlobStore = Object.assign(Object.create(blobs) as BlobStore, {
    put: async (source: Uint8Array) => {
      const stored = await blobs.put(source)
      put.push(stored.digest)
      return stored
    },
    stream: (digest: string) => blobs.stream(digest),
    delete: (digest: string) => blobs.delete(digest),
  })
  const check = blobsCheck(watched)
  const { signal } = new AbortController()
  expect([await check(signal), await check(signal)]).toStrictEqual([{ ok: true }, { ok: true }])
  expect(new Set(put).size).toBe(2)
  watched.stream = async () => Readable.from([randomBytes(8192)])
  expect(await check(signal)).toMatchObject({ ok: false })
})

for (const [name, openBlobs] of Object.entries(kinds)) {
  describe(`blobs on ${name}`, () => {
    // Shared by tests that only access their own blobs; tests that list all blobs open their own storage.
    let blobs: BlobStore
    beforeAll(async () => {
      blobs = await openBlobs()
    })

    test('pass their check, which leaves nothing behind', async () => {
      const before = (await listed(blobs)).length
      expect(await blobsCheck(blobs)(new AbortController().signal)).toStrictEqual({ ok: true })
      expect((await listed(blobs)).length).toBe(before)
    })

    test.each([0, 1, 262_143, 262_144, 262_145, 3_000_001])('of %i bytes come back as they were put', async (size) => {
      const bytes = randomBytes(size)
      const digest = hashed('sha256', bytes)
      const expected = { digest, size, md5: hashed('md5', bytes) }
      expect(await blobs.put(bytes)).toStrictEqual(expected)
      expect(await blobs.put(inPieces(bytes, 70_001))).toStrictEqual(expected)
      expect((await blobs.read(digest)).equals(bytes)).toBe(true)
      expect(Buffer.concat(await collect(await blobs.stream(digest))).equals(bytes)).toBe(true)
      expect([await blobs.has(digest), await blobs.size(digest)]).toStrictEqual([true, size])
    })

    test('of unknown length are taken piece by piece, whatever the pieces', async () => {
      const bytes = randomBytes(1_300_000)
      for (const length of [65_536, 1_000_000]) {
        const { digest } = await blobs.put(inPieces(bytes, length))
        expect((await blobs.read(digest)).equals(bytes)).toBe(true)
        expect(await blobs.delete(digest)).toBe(true)
      }
    })

    test('of the same content are stored once, also when they come at once', async () => {
      const blobs = await openBlobs()
      const [small, large] = [randomBytes(1_000), randomBytes(1_500_000)]
      const puts = await Promise.all(
        [small, large].flatMap((bytes) => [1, 2, 3, 4].map(() => blobs.put(inPieces(bytes, 90_000)))),
      )
      const digests = [...new Set(puts.map(({ digest }) => digest))].sort()
      expect(digests).toHaveLength(2)
      expect((await listed(blobs)).map(({ digest }) => digest)).toStrictEqual(digests)
      expect((await blobs.read(hashed('sha256', large))).equals(large)).toBe(true)
    })

    test('that come many at once are all there', async () => {
      const blobs = await openBlobs()
      const contents = Array.from({ length: 60 }, (_, at) => randomBytes(at * 100))
      const puts = await Promise.all(contents.map((bytes) => blobs.put(bytes)))
      const expected = puts.map(({ digest, size }) => ({ digest, size })).sort((a, b) => (a.digest < b.digest ? -1 : 1))
      expect((await listed(blobs)).map(({ digest, size }) => ({ digest, size }))).toStrictEqual(expected)
    })

    test.each([
      [0, 10],
      [262_140, 262_150],
      [262_144, 524_288],
      [999_999, 2_000_000],
      [500_000, undefined],
      [10, 10],
      [2_000_000, 3_000_000],
    ])('are read from %i to %s', async (start, end) => {
      const bytes = randomBytes(1_000_000)
      const { digest } = await blobs.put(bytes)
      const part = Buffer.concat(
        await collect(await blobs.stream(digest, end === undefined ? { start } : { start, end })),
      )
      expect(part.equals(bytes.subarray(start, end))).toBe(true)
    })

    test('that are larger than allowed are refused, and leave nothing behind', async () => {
      const blobs = await openBlobs()
      const bytes = randomBytes(2_000_000)
      let given = 0
      async function* source() {
        for await (const piece of inPieces(bytes, 100_000)) {
          given += piece.length
          yield piece
        }
      }
      await expect(blobs.put(source(), { maxBytes: 1_550_000 })).rejects.toThrow(BlobTooLarge)
      expect(given).toBe(1_600_000)
      await expect(blobs.put(bytes, { maxBytes: 1_999_999 })).rejects.toMatchObject({ maxBytes: 1_999_999 })
      await expect(blobs.put(inPieces(bytes, 1_000), { maxBytes: 500 })).rejects.toThrow(BlobTooLarge)
      expect(await listed(blobs)).toStrictEqual([])
      expect((await blobs.put(inPieces(bytes, 100_000), { maxBytes: 2_000_000 })).size).toBe(2_000_000)
    })

    test('whose source breaks off are not stored', async () => {
      const blobs = await openBlobs()
      async function* breaking() {
        yield* inPieces(randomBytes(1_500_000), 100_000)
        throw new Error('The client went away.')
      }
      await expect(blobs.put(breaking())).rejects.toThrow('The client went away.')
      expect(await listed(blobs)).toStrictEqual([])
    })

    test('that are not there are missing by name', async () => {
      const digest = hashed('sha256', Buffer.from('nobody'))
      for (const ask of [() => blobs.read(digest), () => blobs.stream(digest), () => blobs.size(digest)])
        await expect(ask()).rejects.toThrow(BlobMissing)
      await expect(blobs.stream(digest, { start: 1, end: 2 })).rejects.toMatchObject({ name: 'BlobMissing', digest })
      expect([await blobs.has(digest), await blobs.delete(digest)]).toStrictEqual([false, false])
    })

    test('are named by nothing but a digest', async () => {
      for (const wrong of ['', '../../etc/passwd', 'A'.repeat(64), `${'a'.repeat(64)}/..`])
        await expect(blobs.read(wrong)).rejects.toThrow(TypeError)
    })

    test('that are deleted are gone, and can be put again', async () => {
      const bytes = randomBytes(700_000)
      const { digest } = await blobs.put(bytes)
      expect(await blobs.delete(digest)).toBe(true)
      expect(await blobs.has(digest)).toBe(false)
      await blobs.put(bytes)
      expect((await blobs.read(digest)).equals(bytes)).toBe(true)
    })

    test('tell when they were stored', async () => {
      const blobs = await openBlobs()
      const before = Math.floor(Date.now() / 1_000) * 1_000
      await blobs.put(randomBytes(10))
      const [blob] = await listed(blobs)
      expect(blob!.storedAt.getTime()).toBeGreaterThanOrEqual(before)
      expect(blob!.storedAt.getTime()).toBeLessThanOrEqual(Date.now() + 1_000)
    })

    test('that nobody refers to are swept once they are old enough', async () => {
      const blobs = await openBlobs()
      const [kept, orphan] = [await blobs.put(randomBytes(10)), await blobs.put(randomBytes(1_000))]
      const asked: string[][] = []
      const isReferenced = async (digests: readonly string[]) => {
        asked.push([...digests])
        return new Set([kept.digest])
      }
      expect(await sweepOrphans(blobs, isReferenced, 2 * HOUR, later(1))).toMatchObject({ seen: 2, removed: 0 })
      expect(asked.flat()).toStrictEqual([])
      const swept = await sweepOrphans(blobs, isReferenced, 2 * HOUR, later(3))
      expect(swept).toStrictEqual({ seen: 2, removed: 1, removedBytes: 1_000 })
      expect(asked.flat().sort()).toStrictEqual([kept.digest, orphan.digest].sort())
      expect([await blobs.has(kept.digest), await blobs.has(orphan.digest)]).toStrictEqual([true, false])
    })

    test('that are younger than asked are not deleted', async () => {
      const { digest } = await blobs.put(randomBytes(10))
      expect(await blobs.delete(digest, { storedBefore: later(-1) })).toBe(false)
      expect(await blobs.has(digest)).toBe(true)
      expect(await blobs.delete(digest, { storedBefore: later(1) })).toBe(true)
    })
  })
}

describe('opening the storage', () => {
  test('names the setting of an S3 store that is missing', async () => {
    await expect(open({ Kind: 'S3' })).rejects.toMatchObject({ setting: 'test-service Storage:S3:Endpoint' })
  })
})
