import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type BenchScene, openScene } from '../../scene.ts'
import type { JobDatabase } from './job-driver.ts'
import { createPostgresJobs } from './postgres-jobs.ts'
import { countRoundTrips } from './round-trips.ts'
import { createSqliteJobs } from './sqlite-jobs.ts'

let scene: BenchScene
let root: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'chancela-bench-'))
  scene = await openScene(root)
})

afterAll(async () => {
  await scene.close()
  await rm(root, { recursive: true })
})

const databases: Record<string, () => Promise<JobDatabase>> = {
  SQLite: () => createSqliteJobs(scene.folder),
  PostgreSQL: async () => createPostgresJobs(await scene.postgres()),
}

for (const [product, create] of Object.entries(databases)) {
  describe(`the contestants on ${product}`, () => {
    async function openBoth() {
      const database = await create()
      const [bare, kernel] = [await database.open.bare(), await database.open.kernel()]
      onTestFinished(async () => {
        await Promise.all([bare.close(), kernel.close()])
        await database.drop()
      })
      return { database, bare, kernel }
    }

    test('work on the same jobs: what one adds the other claims, and nobody claims it twice', async () => {
      const { bare, kernel } = await openBoth()
      expect(await bare.insert(3)).toBe(3)
      expect(await kernel.claim(10)).toBe(3)
      expect(await bare.claim(10)).toBe(0)
      expect(await kernel.insert(5)).toBe(5)
      expect(await bare.claim(2)).toBe(2)
      expect(await kernel.claim(10)).toBe(3)
      expect(await kernel.claim(10)).toBe(0)
    })

    test('find the queue filled anew before each sample', async () => {
      const { database, bare, kernel } = await openBoth()
      await database.fill(30)
      expect(await kernel.claim(10)).toBe(10)
      await database.fill(25)
      expect(await bare.claim(100)).toBe(25)
      await database.fill(0)
      expect(await kernel.claim(10)).toBe(0)
    })
  })
}

test('round trips are counted on every connection, as long as the work lasts', async () => {
  const database = await databases.PostgreSQL!()
  const [bare, kernel] = [await database.open.bare(), await database.open.kernel()]
  onTestFinished(async () => {
    await Promise.all([bare.close(), kernel.close()])
    await database.drop()
  })
  await database.fill(40)
  const counted = await countRoundTrips(async () => {
    for (let turn = 0; turn < 3; turn++) await bare.claim(5)
    return bare.insert(7)
  })
  await bare.claim(5)
  expect(counted).toEqual({ result: 7, roundTrips: 4 })
  expect((await countRoundTrips(async () => kernel.claim(20))).roundTrips).toBe(1)
})
