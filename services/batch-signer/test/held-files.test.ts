// A database that is new, or older than its folders, takes nothing that lay there before without an operator's word.
import { mkdir, rmdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { testStores } from '@chancela/testkit/stores'
import { temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { storesOf } from '../src/test-support/as-new.ts'
import { failNext, migrationSet, openBatchStore } from '../src/test-support/ledger-world.ts'
import { intakeWorld } from '../src/workers/intake/test-support/intake-world.ts'

const SOON = { interval: 20 }

type World = Awaited<ReturnType<typeof intakeWorld>>

const folder = async ({ call }: World) => (await call('GET', '/api/folders')).body.folders[0]

/** A data folder whose input folder has files before the service first sees it. */
async function folderWith(...names: string[]): Promise<string> {
  const dataFolder = temporaryFolder()
  await mkdir(join(dataFolder, 'in', 'default'), { recursive: true })
  for (const name of names) await writeFile(join(dataFolder, 'in', 'default', name), name)
  return dataFolder
}

/** A file that comes later is taken, and with it everything that may be. */
async function takesLater({ drop, names }: World): Promise<void> {
  await drop('later.txt')
  await expect.poll(names, SOON).toContain('later.txt Queued')
}

async function upload({ listen }: World, name: string): Promise<void> {
  const { url, headers } = await listen()
  const body = new FormData()
  body.set('file', new Blob([name]), name)
  expect((await fetch(`${url}/api/files`, { method: 'POST', headers, body })).status).toBe(202)
}

const sequenceOf = (folder: string, { db }: World['context']['store']) =>
  db.selectFrom('folder_place').select('sequence').where('folder', '=', folder).executeTakeFirst()

/** Cancels the only job, stops, and puts the tables back as a backup from before the cancellation has them. */
async function cancelAndPutBack({ context, intake }: World, store: World['context']['store'], folder: string) {
  const { db } = store
  const jobs = await db.selectFrom('job').selectAll().execute()
  const places = await db.selectFrom('folder_place').selectAll().execute()
  const before = places.find((place) => place.folder === folder)!.sequence
  await context.ledger.canceled(jobs[0]!.id, 'Queued', 'Operator canceled.', new Date())
  await expect.poll(async () => (await sequenceOf(folder, store))?.sequence, SOON).toBeGreaterThan(before)
  await intake.stop()
  for (const table of ['job', 'input_tombstone', 'folder_place'] as const) await db.deleteFrom(table).execute()
  await db.insertInto('job').values(jobs).execute()
  await db.insertInto('folder_place').values(places).execute()
}

const held = { watched: { TakeExisting: false } }

for (const [name, openNew] of Object.entries(testStores)) {
  const openStore = storesOf(openNew)

  describe(`files that lay in a folder before, on ${name}`, () => {
    test('a new database holds them, says so everywhere, and takes them on an operator’s word', async () => {
      const dataFolder = await folderWith('a.rem', 'b.rem')
      const one = await intakeWorld({ ...held, dataFolder, store: await openBatchStore(openStore) })
      one.intake.start()
      await takesLater(one)
      await utimes(one.input('a.rem'), new Date(), new Date())
      expect(await one.names()).toEqual(['later.txt Queued'])
      expect(await folder(one)).toMatchObject({ status: 'Running', heldCount: 2, heldReason: 'folder-new' })
      const [event] = (await one.context.events.list({ type: 'FilesHeld' })).items
      expect(event?.text).toContain('2 files that lie in the input folder default are held')
      const { checks } = await one.context.readiness.verdict()
      expect(checks).toContainEqual(
        expect.objectContaining({ name: 'input-folder:default', ok: true, detail: expect.stringContaining('2 files') }),
      )
      expect(await one.call('POST', '/api/folders/default/release')).toEqual({
        status: 200,
        body: { folder: 'default', released: 2 },
      })
      await expect.poll(one.names, SOON).toEqual(['a.rem Queued', 'b.rem Queued', 'later.txt Queued'])
      expect(await folder(one)).toMatchObject({ heldCount: 0, heldReason: null })
      expect((await one.call('POST', '/api/folders/nowhere/release')).body.code).toBe('folder.not-found')
    })

    test('a copy of the database that does not know what was signed since does not have it signed again', async () => {
      const first = await intakeWorld({ store: await openBatchStore(openStore) })
      first.intake.start()
      await takesLater(first)
      await first.drop('signed.txt')
      await expect.poll(first.names, SOON).toContain('signed.txt Queued')
      await first.intake.stop()
      // As in a copy made before: neither the job nor that the folder's number was raised.
      const { db } = first.context.store
      await db.deleteFrom('job').where('file_name', '=', 'signed.txt').execute()
      await db.updateTable('folder_place').set({ sequence: 1 }).execute()
      const second = await intakeWorld({ store: first.context.store, dataFolder: first.dataFolder })
      expect(await folder(second)).toMatchObject({ heldCount: 2, heldReason: 'database-older' })
      second.intake.start()
      await second.drop('new.txt')
      await expect.poll(second.names, SOON).toContain('new.txt Queued')
      expect(await second.names()).not.toContain('signed.txt Queued')
    })

    test('a copy of the database from before the last start is older, even if nothing was taken since', async () => {
      const store = await openBatchStore(openStore)
      const first = await intakeWorld({ store })
      first.intake.start()
      await takesLater(first)
      await first.intake.stop()
      const copy = await store.db.selectFrom('folder_place').selectAll().execute()
      const second = await intakeWorld({ store, dataFolder: first.dataFolder })
      await second.intake.stop()
      await store.db.updateTable('folder_place').set({ sequence: copy[0]!.sequence }).execute()
      await first.drop('meanwhile.txt')
      const third = await intakeWorld({ store, dataFolder: first.dataFolder })
      expect(await folder(third)).toMatchObject({ heldReason: 'database-older' })
    })

    test('a rescan takes them, too', async () => {
      const dataFolder = await folderWith('a.rem')
      const one = await intakeWorld({ ...held, dataFolder, store: await openBatchStore(openStore) })
      one.intake.start()
      await takesLater(one)
      expect((await one.call('POST', '/api/rescan')).body.totals).toMatchObject({ enqueued: 1 })
      expect((await folder(one)).heldCount).toBe(0)
    })

    test('a lost database does not have a refused file signed, even where existing files are taken', async () => {
      const first = await intakeWorld({ store: await openBatchStore(openStore) })
      first.intake.start()
      await first.drop('refused.rem')
      await expect.poll(first.names, SOON).toEqual(['refused.rem Queued'])
      await failNext(first.context.ledger, new Date())
      await first.intake.stop()
      const second = await intakeWorld({ store: await openNew(migrationSet), dataFolder: first.dataFolder })
      second.intake.start()
      await takesLater(second)
      expect(await second.names()).toEqual(['later.txt Queued'])
      expect(await folder(second)).toMatchObject({ heldCount: 1, heldReason: 'database-new' })
    })

    test('a database restored to an earlier state holds what was decided since, its waiting jobs included', async () => {
      const store = await openBatchStore(openStore)
      const first = await intakeWorld({ store })
      first.intake.start()
      await first.drop('waiting.rem')
      await expect.poll(first.names, SOON).toEqual(['waiting.rem Queued'])
      await cancelAndPutBack(first, store, 'default')
      const second = await intakeWorld({ store, dataFolder: first.dataFolder })
      expect(await second.names()).toEqual(['waiting.rem Canceled'])
      second.intake.start()
      await takesLater(second)
      // The end of the waiting job is not what keeps the file: the word for held files finds it.
      expect(await folder(second)).toMatchObject({ heldCount: 1, refusedCount: 0 })
      expect(await second.names()).toEqual(['later.txt Queued', 'waiting.rem Canceled'])
      const [event] = (await second.context.events.list({ type: 'FilesHeld' })).items
      expect(event?.data).toMatchObject({ reason: 'database-older', held: 1 })
    })

    test('a database restored to an earlier state does not sign an upload that was canceled since', async () => {
      const store = await openBatchStore(openStore)
      const first = await intakeWorld({ store })
      await upload(first, 'sent.txt')
      await cancelAndPutBack(first, store, ':uploads')
      const second = await intakeWorld({ store, dataFolder: first.dataFolder })
      expect(await second.names()).toEqual(['sent.txt Canceled'])
      const [event] = (await second.context.events.list({ type: 'FilesHeld' })).items
      expect(event?.data).toMatchObject({ reason: 'database-older', held: 1 })
      const again = await intakeWorld({ store, dataFolder: first.dataFolder })
      await upload(again, 'sent-again.txt')
      expect(await again.names()).toEqual(['sent-again.txt Queued', 'sent.txt Canceled'])
    })

    test('the same database after a restart keeps its uploads waiting', async () => {
      const store = await openBatchStore(openStore)
      const first = await intakeWorld({ store })
      await upload(first, 'sent.txt')
      await first.intake.stop()
      const second = await intakeWorld({ store, dataFolder: first.dataFolder })
      expect(await second.names()).toEqual(['sent.txt Queued'])
    })

    test('a folder that cannot be written to is stopped, and says so: what is signed could not be removed', async () => {
      const dataFolder = await folderWith('a.rem')
      await mkdir(join(dataFolder, 'in', 'default', '.chancela-folder.next'))
      const one = await intakeWorld({ dataFolder, store: await openBatchStore(openStore) })
      one.intake.start()
      await expect
        .poll(() => folder(one), SOON)
        .toMatchObject({
          status: 'Stopped',
          lastError: expect.stringMatching(/^The service cannot write to the folder/),
        })
      expect(await one.names()).toEqual([])
      await rmdir(join(dataFolder, 'in', 'default', '.chancela-folder.next'))
      await expect.poll(one.names, SOON).toEqual(['a.rem Queued'])
    })

    test('the same database after a restart, and one of an older version, hold nothing', async () => {
      const store = await openBatchStore(openStore)
      const first = await intakeWorld({ ...held, store })
      first.intake.start()
      await takesLater(first)
      await first.intake.stop()
      await first.drop('meanwhile.txt')
      const second = await intakeWorld({ ...held, store, dataFolder: first.dataFolder })
      second.intake.start()
      await expect.poll(second.names, SOON).toContain('meanwhile.txt Queued')
      expect((await folder(second)).heldCount).toBe(0)
    })
  })
}
