import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../clock/index.ts'
import { passingTrouble } from '../../errors/index.ts'
import { s3Account, startS3 } from '../test-support/start-s3.ts'
import { type S3BlobsOptions, s3Blobs } from './s3-blobs.ts'

const world = async (more: Partial<S3BlobsOptions> = {}) => {
  const s3 = await startS3()
  const spoolFolder = temporaryFolder()
  const { endpoint } = s3
  const blobs = await s3Blobs({ ...s3Account, endpoint, prefix: 'x/', spoolFolder, clock: systemClock, ...more })
  onTestFinished(() => blobs.close())
  return { s3, blobs, spoolFolder }
}

describe('blobs in an S3-compatible store', () => {
  test('lie under the prefix, with the bucket first in the path', async () => {
    const { s3, blobs } = await world()
    const { digest } = await blobs.put(randomBytes(10))
    expect(s3.requests).toStrictEqual([`PUT /documents/x/${digest}`])
  })

  test('are sent again when the store fails for a moment, large ones from the spool, which is empty after', async () => {
    const { s3, blobs, spoolFolder } = await world()
    for (const bytes of [randomBytes(1_000), randomBytes(2_500_000)]) {
      s3.failures.push(503, 500)
      const source = (async function* () {
        for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000)
      })()
      const { digest } = await blobs.put(source)
      expect((await blobs.read(digest)).equals(bytes)).toBe(true)
    }
    expect(await readdir(spoolFolder)).toStrictEqual([])
  })

  test('are given up when the store keeps failing', async () => {
    const { s3, blobs } = await world()
    s3.failures.push(503, 503, 503, 503)
    await expect(blobs.put(randomBytes(10))).rejects.toMatchObject({ name: 'S3Problem', status: 503 })
    expect(s3.requests).toStrictEqual([])
  })

  test('are refused at once with a wrong key', async () => {
    const { s3, blobs } = await world({ secretAccessKey: 'another' })
    await expect(blobs.put(randomBytes(10))).rejects.toMatchObject({ name: 'S3Problem', status: 403 })
    await expect(blobs.has('0'.repeat(64))).rejects.toMatchObject({ status: 403 })
    expect(s3.requests).toStrictEqual([])
  })

  test('are given to nobody with other bytes than were taken, neither whole, as a stream, nor as the range of all', async () => {
    const { s3, blobs } = await world()
    for (const size of [10, 300_000]) {
      const { digest } = await blobs.put(randomBytes(size))
      s3.lie()
      const streamed = async (range?: { start: number }) => {
        let length = 0
        for await (const piece of await blobs.stream(digest, range)) length += piece.length
        return length
      }
      const refused = { name: 'BlobAltered', message: expect.stringContaining(digest) }
      await expect(blobs.read(digest)).rejects.toMatchObject(refused)
      await expect(streamed()).rejects.toMatchObject(refused)
      await expect(streamed({ start: 0 })).rejects.toMatchObject(refused)
      expect(passingTrouble(await blobs.read(digest).catch((error) => error))).toBe('storage-unreachable')
    }
  })

  test('are listed page by page', async () => {
    const { s3, blobs } = await world({ listPage: 10 })
    const puts = await Promise.all(Array.from({ length: 25 }, () => blobs.put(randomBytes(16))))
    const digests = new Set<string>()
    for await (const { digest } of blobs.list()) digests.add(digest)
    expect(digests).toStrictEqual(new Set(puts.map(({ digest }) => digest)))
    expect(s3.requests.filter((request) => request.startsWith('GET '))).toHaveLength(3)
  })
})
