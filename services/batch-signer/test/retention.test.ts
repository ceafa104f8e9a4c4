import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY, HOUR } from '@chancela/service-kernel/clock'
import { describe, expect, test } from 'vitest'
import { completeNext, failNext, newJob, withImpossibleNames } from '../src/test-support/ledger-world.ts'
import { sharedOperations, startWorld, type World } from './test-support/operations-world.ts'

const root = ({ dataFolder }: World) => join(dataFolder, 'batch-signer')
const names = async (world: World, folder: string) => (await readdir(join(root(world), folder))).sort()

/** A job just completed, with its output, as the pipeline leaves it. */
async function complete(world: World, fileName: string): Promise<string> {
  const { ledger } = world.context
  await ledger.enqueue(newJob({ fileName }), world.clock())
  const id = await completeNext(ledger, world.clock())
  await ledger.inputSettled(id, 'deleted', world.clock())
  await writeFile(join(root(world), 'output', `${fileName}.p7m`), `signed ${id}`)
  return id
}

/** A job just failed, with its files under error/. */
async function fail(world: World, fileName: string): Promise<string> {
  const { ledger } = world.context
  await ledger.enqueue(newJob({ fileName }), world.clock())
  const id = await failNext(ledger, world.clock())
  await mkdir(join(root(world), 'error', id))
  await writeFile(join(root(world), 'error', id, fileName), 'as it came')
  return id
}

const cleanUp = async (world: World) => (await world.call('POST', '/api/cleanup')).json()

const jobs = async ({ store }: World) =>
  (await store.db.selectFrom('job').select(['id', 'file_name', 'status']).orderBy('file_name').execute()).map(
    ({ file_name, status }) => `${file_name} ${status}`,
  )

/** The stored counts, and the actual ones. */
async function counts({ store }: World) {
  const kept = await store.db.selectFrom('job_tally').selectAll().where('n', '!=', 0).execute()
  const real = await store.db
    .selectFrom('job')
    .select(['profile_name', 'status', 'source', 'format'])
    .select((row) => row.fn.countAll<number | string>().as('n'))
    .groupBy(['profile_name', 'status', 'source', 'format'])
    .execute()
  const text = (rows: readonly object[]) => rows.map((row) => Object.values(row).join(' ')).sort()
  return { kept: text(kept), real: text(real) }
}

for (const database of ['SQLite', 'PostgreSQL'] as const)
  describe(`retention cleanup on ${database}`, () => {
    const fresh = sharedOperations(database)

    test('removes ended jobs older than RetentionDays with history, payments, output, error folder and events', async () => {
      const world = await fresh()
      const old = await complete(world, 'old.txt')
      await fail(world, 'bad.txt')
      await world.store.db.insertInto('job_payments').values({ job_id: old, payments: '[]' }).execute()
      world.clock.advance(DAY)
      await complete(world, 'young.txt')
      world.clock.advance(29 * DAY + HOUR)
      expect(await cleanUp(world)).toStrictEqual({
        jobsDeleted: 2,
        outputFilesDeleted: 1,
        errorFilesDeleted: 1,
        operationalEventsDeleted: 1,
        filesMissing: 0,
        errors: 0,
      })
      expect(await jobs(world)).toStrictEqual(['young.txt Completed'])
      expect(await names(world, 'output')).toStrictEqual(['young.txt.p7m'])
      expect(await names(world, 'error')).toStrictEqual([])
      const left = await world.store.db.selectFrom('job_history').select('job_id').distinct().execute()
      expect(left).toHaveLength(1)
      expect(await world.store.db.selectFrom('job_payments').selectAll().execute()).toStrictEqual([])
      const { kept, real } = await counts(world)
      expect(kept).toStrictEqual(real)
    })

    test('never touches active jobs, inputs still to be settled, nor input folders', async () => {
      const world = await fresh()
      const { ledger } = world.context
      await ledger.enqueue(newJob({ fileName: 'pending.txt' }), world.clock())
      await completeNext(ledger, world.clock())
      await ledger.enqueue(newJob({ fileName: 'flying.txt' }), world.clock())
      await ledger.claim(1, world.clock())
      await ledger.enqueue(newJob({ fileName: 'queued.txt' }), world.clock())
      await mkdir(join(root(world), 'input'), { recursive: true })
      await writeFile(join(root(world), 'input', 'queued.txt'), 'input')
      world.clock.advance(400 * DAY)
      expect(await cleanUp(world)).toMatchObject({ jobsDeleted: 0, outputFilesDeleted: 0 })
      expect(await jobs(world)).toStrictEqual(['flying.txt Processing', 'pending.txt Completed', 'queued.txt Queued'])
      expect(await names(world, 'input')).toStrictEqual(['queued.txt'])
    })

    test('the file of an upload goes with its job; that of a watched folder stays and is remembered as refused', async () => {
      const world = await fresh()
      const { ledger } = world.context
      const [uploads, input] = [join(root(world), 'uploads'), join(root(world), 'input')]
      for (const folder of [uploads, input]) await mkdir(folder, { recursive: true })
      const [upload, dropped] = [join(uploads, 'u.rem'), join(input, 'd.rem')]
      for (const path of [upload, dropped]) await writeFile(path, 'refused')
      await ledger.enqueue(newJob({ fileName: 'u.rem', originalPath: upload, inputFolder: null }), world.clock())
      await failNext(ledger, world.clock())
      await ledger.enqueue(newJob({ fileName: 'd.rem', originalPath: dropped }), world.clock())
      await failNext(ledger, world.clock(), 'cnab240.invalid')
      world.clock.advance(31 * DAY)
      expect(await cleanUp(world)).toMatchObject({ jobsDeleted: 2, errors: 0 })
      expect(await names(world, 'uploads')).toStrictEqual([])
      expect(await names(world, 'input')).toContain('d.rem')
      const tombstones = await world.store.db
        .selectFrom('input_tombstone')
        .select(['path', 'verdict', 'code'])
        .execute()
      expect(tombstones).toStrictEqual([{ path: dropped, verdict: 'Failed', code: 'cnab240.invalid' }])
    })

    test('counts files that had gone before, and frees the names of the jobs', async () => {
      const world = await fresh()
      const id = await complete(world, 'taken.txt')
      await world.work.removeOutput(id, { folder: null, name: 'taken.txt.p7m' })
      const again = newJob({ fileName: 'TAKEN.txt', originalPath: '/input/again.txt' })
      expect(await world.context.ledger.enqueue(again, world.clock())).toStrictEqual({
        outcome: 'AlreadyProcessed',
        holderId: id,
        holderName: 'taken.txt',
      })
      world.clock.advance(31 * DAY)
      expect(await cleanUp(world)).toMatchObject({ jobsDeleted: 1, outputFilesDeleted: 0, filesMissing: 1 })
      expect(await world.context.ledger.enqueue(again, world.clock())).toStrictEqual({ outcome: 'Enqueued' })
    })

    test('leaves the output of a younger job of the same name, and a stranger’s file a job failed on', async () => {
      const settings = { Pipeline: { RejectAlreadyProcessedFileNames: false } }
      const world = await startWorld({ database, settings })
      const { ledger } = world.context
      await complete(world, 'twice.txt')
      await ledger.enqueue(newJob({ fileName: 'foreign.txt' }), world.clock())
      const [foreign] = await ledger.claim(1, world.clock())
      const reached = { sha256: '00', length: 1, outputName: 'foreign.txt.p7m' }
      await ledger.reachedKey(foreign!.id, reached, world.clock())
      await ledger.signed(foreign!.id, { message: 'Signed.' }, world.clock())
      const failed = { from: 'Verifying', code: 'job.output-exists', error: 'Output already exists at …' } as const
      await ledger.failed(foreign!.id, failed, world.clock())
      await writeFile(join(root(world), 'output', 'foreign.txt.p7m'), 'of somebody else')
      world.clock.advance(20 * DAY)
      await complete(world, 'twice.txt')
      world.clock.advance(20 * DAY)
      expect(await cleanUp(world)).toMatchObject({ jobsDeleted: 2, outputFilesDeleted: 0 })
      expect(await names(world, 'output')).toStrictEqual(['foreign.txt.p7m', 'twice.txt.p7m'])
    })

    test('keeps a job whose file cannot be deleted, and goes on with the others', async () => {
      const world = await startWorld({ database })
      const stuck = await complete(world, 'stuck.txt')
      await world.work.removeOutput(stuck, { folder: null, name: 'stuck.txt.p7m' })
      await mkdir(join(root(world), 'output', 'stuck.txt.p7m', 'not-empty'), { recursive: true })
      world.clock.advance(1)
      for (let n = 0; n < 3; n++) await complete(world, `file-${n}.txt`)
      world.clock.advance(31 * DAY)
      expect(await cleanUp(world)).toMatchObject({ jobsDeleted: 3, errors: 1 })
      expect(await jobs(world)).toStrictEqual(['stuck.txt Completed'])
      const warned = world.log().filter(({ level }) => level === 'warn')
      expect(warned).toMatchObject([{ jobId: stuck }])
    })

    test('removes jobs whose files have names that no file can have', async () => {
      const world = await fresh()
      await withImpossibleNames(world.context.ledger, world.clock())
      world.clock.advance(31 * DAY)
      expect(await cleanUp(world)).toMatchObject({ jobsDeleted: 4, errors: 0 })
      expect(await jobs(world)).toStrictEqual([])
    })

    test('works through more jobs than go into one transaction', async () => {
      const world = await fresh()
      const now = world.clock()
      await Promise.all(
        Array.from({ length: 450 }, () =>
          world.context.ledger.recordRefused({ ...newJob(), code: 'file.already-processed', error: 'Again.' }, now),
        ),
      )
      world.clock.advance(31 * DAY)
      expect(await cleanUp(world)).toMatchObject({ jobsDeleted: 450, filesMissing: 450 })
      expect(await counts(world)).toStrictEqual({ kept: [], real: [] })
    })
  })

describe('the retention schedule', () => {
  test('cleans up every CleanupIntervalHours, and once soon after the start', async () => {
    const world = await startWorld({ settings: { Retention: { CleanupIntervalHours: 12 } } })
    const cleanups = () => world.log().filter(({ msg }) => msg === 'retention cleanup done').length
    await world.retention.tick()
    expect(cleanups()).toBe(1)
    world.clock.advance(11 * HOUR)
    await world.retention.tick()
    expect(cleanups()).toBe(1)
    world.clock.advance(HOUR)
    await world.retention.tick()
    expect(cleanups()).toBe(2)
  })

  test('runs one cleanup at a time: calls during it share its result and its event', async () => {
    const world = await startWorld()
    await complete(world, 'old.txt')
    world.clock.advance(31 * DAY)
    const [one, other] = await Promise.all([world.retention.run('api-key'), world.retention.run('retention')])
    expect(one.jobsDeleted).toBe(1)
    expect(other).toBe(one)
    expect(await cleanUp(world)).toMatchObject({ jobsDeleted: 0 })
    const { items } = await world.context.events.list({ type: 'RetentionCompleted' })
    expect(items.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^Cleanup removed 1 jobs, 1 output files/),
    )
    // The operator's own, which found nothing, besides the shared one.
    expect(items.map(({ actor, address }) => [actor, address])).toEqual([
      ['api-key', '127.0.0.1'],
      ['api-key', undefined],
    ])
  })
})
