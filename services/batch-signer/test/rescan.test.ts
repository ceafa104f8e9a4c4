import { writeSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { testStores } from '@chancela/testkit/stores'
import { describe, expect, test } from 'vitest'
import { storesOf } from '../src/test-support/as-new.ts'
import { completeNext, failNext, openBatchStore } from '../src/test-support/ledger-world.ts'
import { intakeWorld } from '../src/workers/intake/test-support/intake-world.ts'

const zero = { scanned: 0, enqueued: 0, alreadyActive: 0, ignored: 0, errors: 0, alreadyProcessed: 0 }

for (const [name, openNew] of Object.entries(testStores)) {
  const openStore = storesOf(openNew)

  describe(`rescan on ${name}`, () => {
    const world = async (options: Partial<Parameters<typeof intakeWorld>[0]> = {}) =>
      intakeWorld({ ...options, store: await openBatchStore(openStore) })

    test('takes every file in at once, failed and canceled ones included, and tells what it did', async () => {
      const { call, drop, jobs, names, dataFolder, context } = await world({ inputs: ['default', 'free'] })
      await drop('failed.pdf')
      await call('POST', '/api/rescan')
      await failNext(context.ledger, new Date())
      await drop('done.pdf')
      await call('POST', '/api/rescan?folder=default')
      // The oldest queued job is the second one of failed.pdf.
      await completeNext(context.ledger, new Date())
      await completeNext(context.ledger, new Date())
      for (const { id, file_name } of (await jobs()).filter(({ status }) => status === 'Completed')) {
        await context.ledger.inputSettled(id, 'diverged', new Date())
        await drop(file_name, 'again')
      }
      await drop('new.xml')
      await drop('canceled.bin')
      await drop('ignored.tmp')
      const { status, body } = await call('POST', '/api/rescan')
      const counts = { ...zero, scanned: 5, enqueued: 2, ignored: 1, alreadyProcessed: 2 }
      expect([status, { ...body, folders: body.folders.map(sorted) }]).toEqual([
        200,
        {
          folders: [
            {
              name: 'default',
              path: join(dataFolder, 'in', 'default'),
              ...counts,
              enqueuedFiles: ['canceled.bin', 'new.xml'],
              unassigned: false,
            },
            { name: 'free', path: join(dataFolder, 'in', 'free'), ...zero, enqueuedFiles: [], unassigned: true },
          ],
          totals: { folders: 2, ...counts, unassigned: 1 },
        },
      ])
      expect((await jobs()).filter(({ status }) => status === 'Queued')).toEqual([
        expect.objectContaining({ source: 'Rescan', input_folder: 'default' }),
        expect.objectContaining({ source: 'Rescan', input_folder: 'default' }),
      ])
      const canceled = (await jobs()).find(({ file_name }) => file_name === 'canceled.bin')!
      await context.ledger.canceled(canceled.id, 'Queued', 'Operator canceled.', new Date())
      const again = await call('POST', '/api/rescan')
      expect(again.body.totals).toMatchObject({ enqueued: 1, alreadyActive: 1, ignored: 1 })
      expect(await names()).toContain('canceled.bin Queued')
      const { items } = await context.events.list({ type: 'RescanCompleted' })
      expect([items.length, items[0]]).toMatchObject([4, { actor: 'api-key', data: { enqueued: 1 } }])
    })

    test('a file that still changes is ignored', async () => {
      const { call, input } = await world({ watched: { StabilityPollIntervalMs: 300 } })
      const file = await open(input('growing.log'), 'w')
      await file.write('x')
      const rescan = call('POST', '/api/rescan')
      const writing = setInterval(() => writeSync(file.fd, 'x'), 20)
      const { body } = await rescan
      clearInterval(writing)
      expect(body.totals).toMatchObject({ scanned: 1, enqueued: 0, ignored: 1 })
      await file.close()
      expect((await call('POST', '/api/rescan')).body.totals).toMatchObject({ enqueued: 1 })
    })

    test('a file refused because its profile is disabled counts as ignored, and the call answers 200', async () => {
      const { call, drop, profiles } = await world()
      profiles.put({ name: 'default', enabled: false })
      await drop('a.pdf')
      const { status, body } = await call('POST', '/api/rescan')
      expect([status, body.totals]).toMatchObject([200, { scanned: 1, ignored: 1, enqueued: 0, errors: 0 }])
    })

    test('a profile that takes no files makes each of them an error', async () => {
      const { call, drop, profiles } = await world()
      profiles.put({ name: 'default', method: 'SignerFolder' })
      await drop('a.pdf')
      expect((await call('POST', '/api/rescan')).body.totals).toMatchObject({ scanned: 1, errors: 1, enqueued: 0 })
    })

    test('a folder that cannot be read is one error, and the others go on', async () => {
      const { call, drop, profiles, input } = await world({ inputs: ['default', 'second'] })
      profiles.put({ name: 'two', inputFolder: 'second' })
      await drop('a.pdf', 'x', 'second')
      await rm(join(input('x'), '..'), { recursive: true })
      const { status, body } = await call('POST', '/api/rescan')
      expect([status, body.folders]).toMatchObject([
        200,
        [
          { scanned: 0, errors: 1 },
          { scanned: 1, enqueued: 1 },
        ],
      ])
    })

    test('a refused file that cannot be moved counts under errors', async () => {
      const moveToError = () => Promise.reject(new Error('error/ is gone'))
      const { call, drop, context, jobs } = await world({ work: { moveToError } })
      await drop('once.pdf')
      await call('POST', '/api/rescan')
      await context.ledger.inputSettled(await completeNext(context.ledger, new Date()), 'diverged', new Date())
      expect((await call('POST', '/api/rescan')).body.totals).toMatchObject({ errors: 1, alreadyProcessed: 0 })
      expect(await jobs()).toHaveLength(1)
    })

    test('folder.not-found names the folders there are', async () => {
      const { call } = await world({ inputs: ['default', 'second'] })
      const { status, body } = await call('POST', '/api/rescan?folder=third')
      expect([status, body.code]).toEqual([404, 'folder.not-found'])
      expect(JSON.stringify(body)).toContain('second')
    })
  })
}

const sorted = (folder: { enqueuedFiles: string[] }) => ({ ...folder, enqueuedFiles: folder.enqueuedFiles.sort() })
