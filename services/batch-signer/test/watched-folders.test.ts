import { join } from 'node:path'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { testStores } from '@chancela/testkit/stores'
import { temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openFolderDirectory } from '../src/parts/folders/folder-directory.ts'
import { storesOf } from '../src/test-support/as-new.ts'
import { openBatchStore } from '../src/test-support/ledger-world.ts'
import { openContext } from '../src/workers/test-support/open-context.ts'

for (const [name, openNew] of Object.entries(testStores)) {
  const openStore = storesOf(openNew)

  describe(`the list of folders on ${name}`, () => {
    const open = async (store: Awaited<ReturnType<typeof openBatchStore>>, dataFolder: string, inputs = ['a']) => {
      const Inputs = inputs.map((Name) => ({ Name, Path: join('in', Name) }))
      const context = await openContext({
        store,
        clock: () => new Date(),
        dataFolder,
        settings: { Storage: { Inputs } },
      })
      onTestFinished(() => context.close())
      return { context, folders: await openFolderDirectory(context) }
    }

    const row = (name: string, path: string | null, paused = 0) => ({
      name,
      entry: path && JSON.stringify({ Name: name, Path: path }),
      paused,
      paused_at: paused ? '2026-11-17T20:00:00.000Z' : null,
      paused_by: paused ? 'operator' : null,
      reason: null,
      version: 1,
      created_at: '2026-11-17T20:00:00.000Z',
      updated_at: '2026-11-17T20:00:00.000Z',
    })

    test('keeps pauses and added folders over a restart, and follows another process', async () => {
      const store = await openBatchStore(openStore)
      const dataFolder = temporaryFolder()
      const { folders } = await open(store, dataFolder)
      const heard = new Promise<void>((hear) => folders.onChange(hear))
      const other = await store.reopen()
      onTestFinished(() => other.close())
      await other.db
        .insertInto('watched_folder')
        .values([row('a', null, 1), row('b', '/srv/b')])
        .execute()
      await other.transaction((tx) => other.notify(tx, 'batch-folders'))
      await heard
      const shown = () => folders.list().map((one) => [one.folder.name, one.source, one.paused?.by])
      const both = [
        ['a', 'Settings', 'operator'],
        ['b', 'Dashboard', undefined],
      ]
      expect(shown()).toEqual(both)
      const again = await open(store, dataFolder)
      expect(again.folders.list().map((one) => [one.folder.name, one.source, one.paused?.by])).toEqual(both)
    })

    test('refuses a start whose settings name a folder that was added meanwhile', async () => {
      const store = await openBatchStore(openStore)
      const other = await store.reopen()
      onTestFinished(() => other.close())
      await other.db.insertInto('watched_folder').values(row('a', '/srv/a')).execute()
      await expect(open(store, temporaryFolder())).rejects.toThrow(StartupProblem)
    })

    test('does not watch an added folder that overlaps another one since', async () => {
      const store = await openBatchStore(openStore)
      const dataFolder = temporaryFolder()
      await store.db
        .insertInto('watched_folder')
        .values([row('b', join(dataFolder, 'in')), row('c', join(dataFolder, 'batch-signer', 'output'))])
        .execute()
      const { folders } = await open(store, dataFolder)
      expect(folders.list().map(({ folder, problem }) => [folder.name, problem])).toEqual([
        ['a', null],
        ['b', expect.stringContaining('contains the input folder a')],
        ['c', expect.stringContaining('is also the work folder output/')],
      ])
    })
  })
}
