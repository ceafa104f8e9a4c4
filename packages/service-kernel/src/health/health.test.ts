import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { testClock } from '@chancela/testkit/clock'
import { doorTo, testStores } from '@chancela/testkit/stores'
import { temporaryFolder } from '@chancela/testkit/tools'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { SECOND } from '../clock/index.ts'
import { createLogger } from '../http/index.ts'
import { createMetrics } from '../metrics/index.ts'
import { openStore, type Store } from '../store/index.ts'
import { sweeper } from '../workers/index.ts'
import {
  anonymous,
  type CheckResult,
  createDiskSpace,
  createHeartbeats,
  createReadiness,
  detailed,
  healthMigrations,
  measureHealth,
  storeCheck,
  storeCheckOptions,
} from './index.ts'

const fine = async (): Promise<CheckResult> => ({ ok: true })
const broken = async (): Promise<CheckResult> => ({ ok: false, detail: 'disk full' })

function readiness(cacheSeconds = 5) {
  const clock = testClock()
  return Object.assign(createReadiness({ cacheSeconds, clock }), { clock })
}

/** A check that answers on command, and counts its calls. */
function gatedCheck() {
  const waiting: Array<(result: CheckResult) => void> = []
  const check = () => new Promise<CheckResult>((resolve) => waiting.push(resolve))
  return { check, asked: () => waiting.length, answer: (result: CheckResult) => waiting.at(-1)!(result) }
}

describe('readiness', () => {
  test('is given without any check', async () => {
    expect(await readiness().verdict()).toStrictEqual({ ready: true, checks: [] })
  })

  test('names every check in the order they were added, and fails with one that gates', async () => {
    const ready = readiness()
    ready.add('database', fine)
    ready.add('input-folder:default', broken)
    ready.add('storage-share:a/b', fine)
    expect(await ready.verdict()).toStrictEqual({
      ready: false,
      checks: [
        { name: 'database', ok: true },
        { name: 'input-folder:default', ok: false, detail: 'disk full' },
        { name: 'storage-share:a/b', ok: true },
      ],
    })
  })

  test('shows a check that does not gate, and does not count it', async () => {
    const ready = readiness()
    ready.add('database', fine)
    ready.add('signing-profile:main', broken, { gates: false })
    expect(await ready.verdict()).toMatchObject({ ready: true, checks: [{ ok: true }, { ok: false }] })
  })

  test('takes a check that throws, at once or later, as one that failed', async () => {
    const ready = readiness()
    ready.add('later', () => Promise.reject(new Error('connection refused')))
    ready.add('at-once', () => {
      throw new Error('not wired')
    })
    ready.add('without-words', () =>
      Promise.reject(new AggregateError([new Error('::1 refused'), new Error('127.0.0.1 refused')])),
    )
    expect((await ready.verdict()).checks).toStrictEqual([
      { name: 'later', ok: false, detail: 'connection refused' },
      { name: 'at-once', ok: false, detail: 'not wired' },
      { name: 'without-words', ok: false, detail: '::1 refused; 127.0.0.1 refused' },
    ])
  })

  test('does not wait for a check that hangs, and tells it to stop', async () => {
    const ready = readiness()
    let stopped: AbortSignal | undefined
    ready.add('database', fine)
    ready.add(
      'share',
      (signal) => {
        stopped = signal
        return new Promise(() => {})
      },
      { timeoutSeconds: 0.05 },
    )
    expect(await ready.verdict()).toStrictEqual({
      ready: false,
      checks: [
        { name: 'database', ok: true },
        { name: 'share', ok: false, detail: 'no answer in 0.05 s' },
      ],
    })
    expect(stopped!.aborted).toBe(true)
  })

  test('is reused for as long as asked and then found anew', async () => {
    const ready = readiness(5)
    let asked = 0
    ready.add('database', async () => ({ ok: ++asked > 0 }))
    const first = await ready.verdict()
    ready.clock.advance(5 * SECOND - 1)
    expect(await ready.verdict()).toBe(first)
    expect(asked).toBe(1)
    ready.clock.advance(1)
    await ready.verdict()
    expect(asked).toBe(2)
  })

  test('is found anew when the clock was set back, which does not say how old it is', async () => {
    const ready = readiness(5)
    let fails = true
    ready.add('storage', async () => ({ ok: !fails }))
    ready.clock.advance(7200 * SECOND)
    expect((await ready.verdict()).ready).toBe(false)
    fails = false
    ready.clock.advance(-7200 * SECOND)
    expect((await ready.verdict()).ready).toBe(true)
  })

  test('is found anew every time when nothing is to be reused', async () => {
    const ready = readiness(0)
    let asked = 0
    ready.add('database', async () => ({ ok: ++asked > 0 }))
    await ready.verdict()
    await ready.verdict()
    expect(asked).toBe(2)
  })

  test('is found once for all who ask at the same time', async () => {
    const ready = readiness(0)
    const { check, asked, answer } = gatedCheck()
    ready.add('database', check)
    const verdicts = [ready.verdict(), ready.verdict(), ready.verdict()]
    answer({ ok: true })
    expect(new Set(await Promise.all(verdicts)).size).toBe(1)
    expect(asked()).toBe(1)
  })

  test('does not come from before a check was added or removed, even one that was being asked', async () => {
    const ready = readiness(60)
    const { check, answer } = gatedCheck()
    ready.add('slow', check)
    const early = ready.verdict()
    ready.add('folder', broken)
    answer({ ok: true })
    expect((await early).checks).toHaveLength(1)
    ready.remove('slow')
    expect(await ready.verdict()).toMatchObject({ ready: false, checks: [{ name: 'folder' }] })
    ready.remove('folder')
    expect(await ready.verdict()).toStrictEqual({ ready: true, checks: [] })
  })

  test('keeps the place of a check that is replaced', async () => {
    const ready = readiness()
    ready.add('a', broken)
    ready.add('b', fine)
    ready.add('a', fine)
    expect((await ready.verdict()).checks).toStrictEqual([
      { name: 'a', ok: true },
      { name: 'b', ok: true },
    ])
  })
})

describe('the views of a verdict', () => {
  const verdict = {
    ready: false,
    checks: [
      { name: 'a', ok: false, detail: 'disk full' },
      { name: 'b', ok: true },
    ],
  }

  test('show details to operators, and not even the field to anybody else', () => {
    expect(detailed(verdict)).toStrictEqual(verdict)
    expect(anonymous(verdict)).toStrictEqual({
      ready: false,
      checks: [
        { name: 'a', ok: false },
        { name: 'b', ok: true },
      ],
    })
    expect(JSON.stringify(anonymous(verdict))).not.toContain('detail')
  })
})

describe('the check of workers', () => {
  const MINUTE = 60 * SECOND

  test('names a worker that came to no end of a turn in its time, until it does or is stopped', () => {
    let elapsed = 0
    const heartbeats = createHeartbeats(() => elapsed)
    const [quick, slow] = [heartbeats.expect('quick', SECOND), heartbeats.expect('slow', 60 * MINUTE)]
    elapsed += 10 * MINUTE + SECOND
    expect(heartbeats.check()).toMatchObject({ ok: true })
    elapsed += 1
    expect(heartbeats.check()).toStrictEqual({ ok: false, detail: expect.stringContaining('quick (10 min)') })
    quick.beat()
    expect(heartbeats.check()).toMatchObject({ ok: true })
    elapsed += 61 * MINUTE
    quick.end()
    expect(heartbeats.check()).toStrictEqual({ ok: false, detail: expect.stringContaining('slow (71 min)') })
    slow.end()
    expect(heartbeats.check()).toMatchObject({ ok: true })
  })

  test('expects turns of a sweeper, and takes none that fails for one', async () => {
    let elapsed = 0
    let isBroken = true
    const heartbeats = createHeartbeats(() => elapsed)
    const logger = createLogger({ service: 'sweeps', level: 'silent' })
    const store = await testStores.SQLite()
    const worker = sweeper({ store, logger, heartbeats }, { name: 'cleanup', every: 60 * MINUTE }, async () => {
      if (isBroken) throw new Error('no')
      return false
    })
    elapsed += 100 * MINUTE
    expect(heartbeats.check()).toMatchObject({ ok: true })
    worker.start()
    await worker.wake()
    elapsed += 71 * MINUTE
    expect(heartbeats.check()).toMatchObject({ ok: false, detail: expect.stringContaining('cleanup') })
    isBroken = false
    await worker.wake()
    expect(heartbeats.check()).toMatchObject({ ok: true })
    await worker.stop()
    elapsed += 100 * MINUTE
    expect(heartbeats.check()).toMatchObject({ ok: true })
  })
})

describe('the check of disks', () => {
  test('names the folder whose disk has less room than asked for, and measures every one', async () => {
    const folder = temporaryFolder()
    const scarce = createDiskSpace({ leastBytes: Number.MAX_SAFE_INTEGER })
    scarce.watch('data', folder)
    expect(await scarce.check()).toStrictEqual({ ok: false, detail: expect.stringContaining(`${folder} (data) has`) })
    const enough = createDiskSpace({ leastBytes: 1 })
    enough.watch('data', folder)
    enough.watch('work', join(folder, 'gone'))
    expect(await enough.check()).toMatchObject({ ok: true })
    expect([...(await enough.free())]).toStrictEqual([['data', expect.any(Number)]])
  })
})

describe('the metrics of health', () => {
  test('tell each check that there is at the moment, as readiness does', async () => {
    const ready = readiness(0)
    const metrics = createMetrics({ service: 'test', version: '1', prefix: 'bulk_' })
    const disks = createDiskSpace({ leastBytes: 0 })
    disks.watch('data', temporaryFolder())
    measureHealth(metrics, { readiness: ready, disks })
    ready.add('database', fine)
    ready.add('folder', broken)
    const lines = async () => (await metrics.text()).split('\n').filter((line) => /^bulk_(ready|check_ok)/.test(line))
    expect(await lines()).toStrictEqual([
      'bulk_ready 0',
      'bulk_check_ok{check="database"} 1',
      'bulk_check_ok{check="folder"} 0',
    ])
    ready.remove('folder')
    expect(await lines()).toStrictEqual(['bulk_ready 1', 'bulk_check_ok{check="database"} 1'])
    expect(await metrics.text()).toMatch(/^bulk_disk_free_bytes\{folder="data"\} \d+$/m)
  })
})

describe('the database check', () => {
  const schema = { health: healthMigrations }
  const watching = (store: Store<unknown>, more: { timeoutSeconds?: number; file?: string } = {}) => {
    const ready = readiness(0)
    const { file, ...options } = more
    ready.add('database', storeCheck(store, { clock: ready.clock, file }), { ...storeCheckOptions, ...options })
    return ready
  }
  const red = (detail: unknown) => ({ ready: false, checks: [{ name: 'database', ok: false, detail }] })

  for (const [name, open] of Object.entries(testStores)) {
    test(`on ${name} passes while the database takes a change and fails when it does not`, async () => {
      const store = await open(schema)
      const ready = watching(store)
      for (let times = 0; times < 2; times++)
        expect(await ready.verdict()).toStrictEqual({ ready: true, checks: [{ name: 'database', ok: true }] })
      await store.close()
      expect(await ready.verdict()).toMatchObject(red(expect.any(String)))
    })
  }

  test('fails on a SQLite file that can only be read', async () => {
    const store = await testStores.SQLite(schema)
    await sql`pragma query_only = on`.execute(store.db)
    expect(await watching(store).verdict()).toMatchObject(red(expect.stringContaining('can be read but not written')))
  })

  test('fails when the file of the database was replaced', async () => {
    const store = await testStores.SQLite(schema)
    const file = store.url.slice('sqlite:'.length)
    const ready = watching(store, { file })
    expect(await ready.verdict()).toMatchObject({ ready: true })
    await rename(file, `${file}.old`)
    expect(await ready.verdict()).toMatchObject(red(expect.stringContaining('deleted or replaced')))
  })

  test('fails on a PostgreSQL that can only be read, as a standby', async () => {
    const own = await testStores.PostgreSQL(schema)
    const url = new URL(own.url)
    url.searchParams.set('options', '-c default_transaction_read_only=on')
    const store = await openStore({ url: url.href, service: own.service })
    onTestFinished(() => store.close())
    expect(await watching(store).verdict()).toMatchObject(red(expect.stringContaining('is read-only')))
  })

  test('fails in its time on a PostgreSQL that is frozen, takes one connection for that, and passes again', async () => {
    const own = await testStores.PostgreSQL(schema)
    const door = await doorTo(own.url)
    const store = await openStore({ url: door.url, service: own.service })
    onTestFinished(async () => {
      await store.close()
      await door.shut()
    })
    const ready = watching(store, { timeoutSeconds: 0.05 })
    await expect.poll(() => ready.verdict()).toMatchObject({ ready: true })
    door.freeze()
    // More often than the pool has connections: those who work would find none left.
    for (let times = 0; times < 12; times++) expect(await ready.verdict()).toMatchObject(red('no answer in 0.05 s'))
    const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()`.execute(own.db)
    expect(rows.length).toBeLessThan(6)
    door.thaw()
    await expect.poll(() => ready.verdict()).toMatchObject({ ready: true })
  })
})
