// What was refused, failed or canceled is never signed by itself, however its job is forgotten; a corrected file under
// the same name is another file and is taken (spec 2, Files 5).
import { appendFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import type { Store } from '@chancela/service-kernel/store'
import { testStores } from '@chancela/testkit/stores'
import { describe, expect, test } from 'vitest'
import { deleteJob } from '../src/actions/delete-job.ts'
import { retryJob } from '../src/actions/retry-job.ts'
import { deleteJobRows } from '../src/store/delete-jobs.ts'
import type { Tables } from '../src/store/tables.ts'
import { buryUnheld, tombstoneOf } from '../src/store/tombstones.ts'
import { storesOf } from '../src/test-support/as-new.ts'
import { completeNext, openBatchStore } from '../src/test-support/ledger-world.ts'
import { createInputFiles } from '../src/upstream/storage/local/input-files.ts'
import { intakeWorld } from '../src/workers/intake/test-support/intake-world.ts'

const SOON = { interval: 20 }

type World = Awaited<ReturnType<typeof intakeWorld>> & { readonly store: Store<Tables> }

/** Waits until the folder was enumerated once more, found by a file that came later. */
async function passesOf({ drop, names }: World): Promise<void> {
  const marker = `marker-${Math.random()}.txt`
  await drop(marker)
  await expect.poll(names, SOON).toContain(`${marker} Queued`)
}

const of = async ({ names }: World, file: string) => (await names()).filter((one) => one.startsWith(`${file} `))

const tombstones = ({ store }: World) => store.db.selectFrom('input_tombstone').selectAll().execute()

/** Ways in which the only queued job ends without a signature. */
const endings = {
  Failed: async ({ context }: World) => {
    const [job] = await context.ledger.claim(1, new Date())
    const change = { from: 'Processing', code: 'cnab240.invalid', error: 'Refused.' } as const
    await context.ledger.failed(job!.id, change, new Date())
    return job!.id
  },
  Canceled: async ({ context, jobs }: World) => {
    const { id } = (await jobs()).find(({ status }) => status === 'Queued')!
    await context.ledger.canceled(id, 'Queued', 'Operator canceled.', new Date())
    return id
  },
} as const

/** Drops a file and has its job end; the tombstone may or may not be there yet. */
async function refused(world: World, file: string, ending: keyof typeof endings): Promise<string> {
  await world.drop(file, 'as it came')
  await expect.poll(() => of(world, file), SOON).toEqual([`${file} Queued`])
  return endings[ending](world)
}

/** Ways in which a corrected file gets the name of a refused one. */
const corrections: Readonly<Record<string, (world: World, path: string) => Promise<unknown>>> = {
  'renamed over it': async ({ dataFolder }, path) => {
    await writeFile(`${dataFolder}/corrected`, 'as it was')
    await rename(`${dataFolder}/corrected`, path)
  },
  'rewritten in place with the same length': (_world, path) => writeFile(path, 'as it was'),
  'grown in place': (_world, path) => appendFile(path, ' and more'),
  'deleted and dropped again at once': async (_world, path) => {
    await rm(path)
    await writeFile(path, 'as it was')
  },
  'deleted and dropped again after a poll': async (world, path) => {
    await rm(path)
    await passesOf(world)
    await writeFile(path, 'as it was')
  },
}

for (const [name, openNew] of Object.entries(testStores)) {
  const openStore = storesOf(openNew)

  describe(`refused files on ${name}`, () => {
    const world = async (options: Partial<Parameters<typeof intakeWorld>[0]> = {}): Promise<World> => {
      const store = options.store ?? (await openBatchStore(openStore))
      return { store, ...(await intakeWorld({ ...options, store })) }
    }

    describe.each(Object.keys(endings) as (keyof typeof endings)[])('after %s', (ending) => {
      test('a file stays refused when its job is deleted, also after a restart; it is free when it has gone', async () => {
        const first = await world()
        first.intake.start()
        const id = await refused(first, 'bad.rem', ending)
        await first.store.transaction((tx) => deleteJobRows(tx, [id]))
        await passesOf(first)
        await first.intake.stop()
        const second = await world({ store: first.store, dataFolder: first.dataFolder })
        second.intake.start()
        await passesOf(second)
        expect(await of(second, 'bad.rem')).toEqual([])
        expect(await tombstones(second)).toEqual([
          expect.objectContaining({ path: second.input('bad.rem'), folder: 'default', verdict: ending, job_id: id }),
        ])
        await rm(second.input('bad.rem'))
        await expect.poll(() => tombstones(second), SOON).toEqual([])
        await second.drop('bad.rem', 'as it came')
        await expect.poll(() => of(second, 'bad.rem'), SOON).toEqual(['bad.rem Queued'])
      })

      test.each(Object.keys(corrections))('a corrected file is taken: %s', async (correction) => {
        const one = await world()
        one.intake.start()
        await refused(one, 'bad.rem', ending)
        await expect.poll(() => tombstones(one), SOON).toHaveLength(1)
        await corrections[correction]!(one, one.input('bad.rem'))
        await expect.poll(() => of(one, 'bad.rem'), SOON).toEqual([`bad.rem ${ending}`, 'bad.rem Queued'])
      })

      test('a file that is only touched is the same file', async () => {
        const one = await world()
        one.intake.start()
        await refused(one, 'bad.rem', ending)
        await expect.poll(() => tombstones(one), SOON).toHaveLength(1)
        const [before] = await tombstones(one)
        await utimes(one.input('bad.rem'), new Date(), new Date())
        await expect.poll(async () => (await tombstones(one))[0]?.identity, SOON).not.toBe(before?.identity)
        await passesOf(one)
        expect(await of(one, 'bad.rem')).toEqual([`bad.rem ${ending}`])
      })

      test('a rescan takes it: that is the operator’s word', async () => {
        const one = await world()
        one.intake.start()
        const id = await refused(one, 'bad.rem', ending)
        await one.store.transaction((tx) => deleteJobRows(tx, [id]))
        const { body } = await one.call('POST', '/api/rescan')
        expect(body.totals).toMatchObject({ scanned: 1, enqueued: 1 })
        expect(await of(one, 'bad.rem')).toEqual(['bad.rem Queued'])
        expect(await tombstones(one)).toEqual([])
      })

      test('a refusal that is remembered late does not come back after the operator’s word', async () => {
        const one = await world()
        one.intake.start()
        const id = await refused(one, 'bad.rem', ending)
        const job = await one.store.db.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
        const { body } = await one.call('POST', '/api/rescan')
        expect(body.totals).toMatchObject({ scanned: 1, enqueued: 1 })
        await buryUnheld(one.store.db, [tombstoneOf(job)])
        expect(await tombstones(one)).toEqual([])
      })
    })

    test('a refusal that a crash left without a tombstone still holds, by what its job recorded of the file', async () => {
      const first = await world()
      first.intake.start()
      await refused(first, 'bad.rem', 'Failed')
      await first.intake.stop()
      await first.store.db.deleteFrom('input_tombstone').execute()
      const second = await world({ store: first.store, dataFolder: first.dataFolder })
      second.intake.start()
      await passesOf(second)
      expect(await of(second, 'bad.rem')).toEqual(['bad.rem Failed'])
      await second.drop('bad.rem', 'corrected')
      await expect.poll(() => of(second, 'bad.rem'), SOON).toEqual(['bad.rem Failed', 'bad.rem Queued'])
    })

    test('a refusal of an older version, which recorded no identity, holds for whatever lies there', async () => {
      const one = await world()
      await one.drop('old.rem')
      one.intake.start()
      await expect.poll(() => of(one, 'old.rem'), SOON).toEqual(['old.rem Queued'])
      await one.store.db.updateTable('job').set({ input_identity: null }).execute()
      const id = await endings.Failed(one)
      await one.store.transaction((tx) => deleteJobRows(tx, [id]))
      await passesOf(one)
      expect(await of(one, 'old.rem')).toEqual([])
    })

    test('a retry judges the file anew, and its failure refuses it again', async () => {
      const one = await world()
      one.intake.start()
      const id = await refused(one, 'bad.rem', 'Failed')
      await expect.poll(() => tombstones(one), SOON).toHaveLength(1)
      await retryJob(one.context, one.profiles.directory, id, new Date())
      expect(await tombstones(one)).toEqual([])
      const again = await endings.Failed(one)
      await expect.poll(async () => (await tombstones(one))[0]?.job_id, SOON).toBe(again)
    })

    test('a name is free in the folder again when the job that held it is deleted', async () => {
      const one = await world()
      one.intake.start()
      await one.drop('x.txt')
      await expect.poll(() => of(one, 'x.txt'), SOON).toEqual(['x.txt Queued'])
      const holder = await completeNext(one.context.ledger, new Date())
      await rm(one.input('x.txt'))
      await one.context.ledger.inputSettled(holder, 'deleted', new Date())
      await one.drop('x.txt')
      await expect.poll(() => of(one, 'x.txt'), SOON).toEqual(['x.txt Completed', 'x.txt Failed'])
      const root = `${one.dataFolder}/batch-signer`
      const parts = { work: one.work, inputs: createInputFiles({ root, inMemoryBytes: 1_000_000 }) }
      await deleteJob(one.context, parts, { jobId: holder, actor: 'operator', reason: null, now: new Date() })
      await one.drop('x.txt')
      await expect.poll(() => of(one, 'x.txt'), SOON).toEqual(['x.txt Failed', 'x.txt Queued'])
    })
  })
}
