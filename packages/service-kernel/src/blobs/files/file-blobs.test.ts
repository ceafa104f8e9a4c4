import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { testClock } from '@chancela/testkit/clock'
import { temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { DAY, HOUR } from '../../clock/index.ts'
import type { BlobStore, ListedBlob } from '../blob-store.ts'
import { sweepOrphans } from '../sweep-orphans.ts'
import { fileBlobs } from './file-blobs.ts'

const world = async () => {
  const folder = temporaryFolder()
  const clock = testClock('2026-03-02T12:00:00.000Z')
  return { folder, clock, blobs: await fileBlobs({ folder, clock }) }
}

async function listed(blobs: BlobStore): Promise<ListedBlob[]> {
  const all: ListedBlob[] = []
  for await (const blob of blobs.list()) all.push(blob)
  return all
}

const content = Buffer.from('Contrato')
const placeOf = (folder: string, digest: string) => join(folder, digest.slice(0, 2), digest.slice(2, 4), digest)

describe('a blob in a folder', () => {
  test('lies under two levels by its first digits, readable by the service alone', async () => {
    const { folder, blobs } = await world()
    const { digest } = await blobs.put(content)
    const found = await stat(placeOf(folder, digest))
    expect([found.size, found.mode & 0o777]).toStrictEqual([content.length, 0o600])
    expect(await readdir(join(folder, 'arrivals'))).toStrictEqual([])
  })

  test('that a crash left among the arrivals is read there, and moved to its place by the next start', async () => {
    const { folder, clock, blobs } = await world()
    const { digest } = await blobs.put(content)
    await rename(placeOf(folder, digest), join(folder, 'arrivals', digest))
    expect((await blobs.read(digest)).equals(content)).toBe(true)
    expect(await blobs.put(content)).toMatchObject({ digest })
    expect(existsSync(placeOf(folder, digest))).toBe(false)
    const next = await fileBlobs({ folder, clock })
    expect(existsSync(placeOf(folder, digest))).toBe(true)
    expect((await next.read(digest)).equals(content)).toBe(true)
  })

  test('that is put again counts as stored now, so that a sweep leaves it', async () => {
    const { clock, blobs } = await world()
    const { digest } = await blobs.put(content)
    clock.advance(2 * DAY)
    await blobs.put(content)
    expect(await listed(blobs)).toStrictEqual([{ digest, size: content.length, storedAt: clock() }])
    expect(await sweepOrphans(blobs, async () => new Set(), DAY, clock())).toMatchObject({ seen: 1, removed: 0 })
    clock.advance(2 * DAY)
    expect(await sweepOrphans(blobs, async () => new Set(), DAY, clock())).toMatchObject({ removed: 1 })
    expect(await blobs.has(digest)).toBe(false)
  })

  test('that is put again while a sweep asks about it is not taken', async () => {
    const { clock, blobs } = await world()
    const { digest } = await blobs.put(content)
    clock.advance(2 * DAY)
    const putMeanwhile = async () => {
      await blobs.put(content)
      return new Set<string>()
    }
    expect(await sweepOrphans(blobs, putMeanwhile, DAY, clock())).toMatchObject({ seen: 1, removed: 0 })
    expect(await blobs.has(digest)).toBe(true)
  })

  test('that cannot be moved to its place is read where it arrived', async () => {
    const { folder, clock } = await world()
    const { digest } = await (await fileBlobs({ folder: temporaryFolder(), clock })).put(content)
    await writeFile(join(folder, digest.slice(0, 2)), 'a file in the way')
    const blobs = await fileBlobs({ folder, clock })
    expect(await blobs.put(content)).toMatchObject({ digest })
    expect(await blobs.put(content)).toMatchObject({ digest })
    expect((await blobs.read(digest)).equals(content)).toBe(true)
    expect(await listed(blobs)).toStrictEqual([{ digest, size: content.length, storedAt: clock() }])
    expect(await blobs.delete(digest)).toBe(true)
    expect(await blobs.has(digest)).toBe(false)
  })
})

describe('drafts in a folder', () => {
  test('that a crash left are removed by the next start, those of a process at work are not', async () => {
    const { folder, clock } = await world()
    const arrivals = join(folder, 'arrivals')
    await mkdir(arrivals, { recursive: true })
    for (const [name, age] of [
      ['abandoned.part', 2 * HOUR],
      ['at-work.part', HOUR / 2],
    ] as const) {
      await writeFile(join(arrivals, name), 'half of a')
      const time = new Date(clock().getTime() - age)
      await utimes(join(arrivals, name), time, time)
    }
    await fileBlobs({ folder, clock })
    expect(await readdir(arrivals)).toStrictEqual(['at-work.part'])
  })
})
