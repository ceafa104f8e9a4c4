import { mkdir, symlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { testStores } from '@chancela/testkit/stores'
import { temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { storesOf } from '../src/test-support/as-new.ts'
import { openBatchStore } from '../src/test-support/ledger-world.ts'
import { createIntake } from '../src/workers/intake/intake.ts'
import { intakeWorld } from '../src/workers/intake/test-support/intake-world.ts'
import { MemoryProfiles } from '../src/workers/intake/test-support/memory-profiles.ts'
import { openContext } from '../src/workers/test-support/open-context.ts'
import { databases, startBatchSigner } from './test-support/running-service.ts'

for (const [name, openNew] of Object.entries(testStores)) {
  const openStore = storesOf(openNew)

  describe(`folders on ${name}`, () => {
    test('each is shown with its status, its profile and what it has seen', async () => {
      const store = await openBatchStore(openStore)
      const { call, drop, intake, dataFolder, names } = await intakeWorld({ store, inputs: ['default', 'free'] })
      intake.start()
      await drop('a.pdf')
      await drop('.ignored')
      await expect.poll(names).toEqual(['a.pdf Queued'])
      for (let file = 0; file < 60; file += 1) await drop(`${file}.pdf`, 'x', 'free')
      const { status, body } = await call('GET', '/api/folders')
      expect([status, body]).toEqual([
        200,
        {
          instance: null,
          folders: [
            {
              name: 'default',
              path: join(dataFolder, 'in', 'default'),
              exists: true,
              status: 'Running',
              paused: null,
              source: 'Settings',
              lastEnqueuedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
              lastError: null,
              processedCount: 1,
              fileCount: 1,
              waitingCount: 0,
              waiting: [],
              refusedCount: 0,
              heldCount: 0,
              heldReason: null,
              instance: null,
              profileName: 'default',
              profileFormat: 'auto',
            },
            {
              name: 'free',
              path: join(dataFolder, 'in', 'free'),
              exists: true,
              status: 'Unassigned',
              paused: null,
              source: 'Settings',
              lastEnqueuedAt: null,
              lastError: null,
              processedCount: 0,
              fileCount: 50,
              waitingCount: 0,
              waiting: [],
              refusedCount: 0,
              heldCount: 0,
              heldReason: null,
              instance: null,
              profileName: null,
              profileFormat: 'auto',
            },
          ],
        },
      ])
    })

    test('the start refuses folders that overlap, all at once, by their real paths', async () => {
      const store = await openBatchStore(openStore)
      const dataFolder = temporaryFolder()
      await mkdir(join(dataFolder, 'batch-signer', 'output'), { recursive: true })
      await symlink(join(dataFolder, 'batch-signer', 'output'), join(dataFolder, 'disguised'))
      const Inputs = [
        { Name: 'same', Path: 'batch-signer/processing' },
        { Name: 'around', Path: 'batch-signer' },
        { Name: 'inside', Path: 'batch-signer/error/deep' },
        { Name: 'linked', Path: 'disguised' },
        { Name: 'apart', Path: 'input' },
        { Name: 'nested', Path: 'input/nested' },
      ]
      const context = await openContext({
        store,
        clock: () => new Date(),
        dataFolder,
        settings: { Storage: { Inputs } },
      })
      const moveToError = () => Promise.resolve()
      const start = createIntake(context, { profiles: new MemoryProfiles().directory, work: { moveToError } })
      const { message } = await start.then(
        () => expect.fail('the start was not refused'),
        (error) => error,
      )
      for (const sentence of [
        /input folder same .* is also the work folder processing\//,
        /input folder around .* contains the work folder db\//,
        /input folder same .* lies inside the input folder around/,
        /input folder inside .* lies inside the work folder error\//,
        /input folder linked .* is also the work folder output\//,
        /input folder apart .* contains the input folder nested/,
      ])
        expect(message).toMatch(sentence)
    })

    test('without configured folders there is one named default, which is made', async () => {
      const store = await openBatchStore(openStore)
      const dataFolder = temporaryFolder()
      const context = await openContext({ store, clock: () => new Date(), dataFolder })
      const moveToError = () => Promise.resolve()
      const intake = await createIntake(context, { profiles: new MemoryProfiles().directory, work: { moveToError } })
      expect(await intake.folders()).toEqual([
        expect.objectContaining({ name: 'default', path: join(dataFolder, 'batch-signer', 'input'), exists: true }),
      ])
    })
  })
}

describe.each(databases)('in a cluster on %s', (database) => {
  test('the list and each folder of it say which machine they are of', async () => {
    const { full } = await startBatchSigner({ database, settings: { Cluster: { Enabled: true } } })
    const { body } = await full.json('GET', '/api/folders')
    expect(body).toMatchObject({ instance: hostname(), folders: [{ name: 'default', instance: hostname() }] })
  })
})
