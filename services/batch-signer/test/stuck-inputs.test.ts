// A signed input that cannot be removed stops its folder with a named reason (spec 2, Files 2 and 3): it is neither
// signed again nor refused, and the folder goes on by itself.
import { randomUUID } from 'node:crypto'
import { samplePdf } from '@chancela/testkit/samples'
import { testStores } from '@chancela/testkit/stores'
import { describe, expect, it } from 'vitest'
import { said } from '../src/rules/sentences.ts'
import { storesOf } from '../src/test-support/as-new.ts'
import { openBatchStore } from '../src/test-support/ledger-world.ts'
import { intakeWorld } from '../src/workers/intake/test-support/intake-world.ts'
import { pipelineWorld } from '../src/workers/test-support/pipeline-world.ts'

for (const [name, openStore] of Object.entries(testStores))
  describe(`an input that cannot be removed, on ${name}`, () => {
    const open = storesOf(openStore)

    for (const namesOnce of [true, false])
      it(`stops its folder and is signed once, with RejectAlreadyProcessedFileNames ${namesOnce}`, async () => {
        let fails = true
        const world = await pipelineWorld(open, {
          settings: { Pipeline: { RejectAlreadyProcessedFileNames: namesOnce } },
          faults: ({ operation, path }) =>
            fails && operation === 'unlinkSync' && path.includes('/input/') ? { errno: 'EACCES' } : undefined,
        })
        const id = await world.drop('a.pdf', samplePdf('A contract'))
        world.pipeline.start()
        await expect.poll(() => world.eventTypes()).toEqual(['FolderStopped'])
        expect(await world.row(id)).toMatchObject({ status: 'Completed', input_disposal: 'pending' })
        const reason = 'The file a.pdf was signed and cannot be removed: EACCES.'
        expect(world.stuck.folderTrouble('default')?.message).toBe(reason)

        // Seen again by a watcher, a rescan or a sweep: the path is taken.
        const again = { ...(await world.jobOf(id)), id: '0f0c8c55-6f0e-4a8e-9a53-1c6e4a52a001' }
        expect(await world.context.ledger.enqueue(again, world.context.clock())).toEqual({ outcome: 'AlreadyActive' })
        await world.sweeper.sweep()
        await world.sweeper.sweep()
        expect(await world.eventTypes()).toEqual(['FolderStopped'])
        expect(world.handedBack).toEqual([])
        expect([world.list('input'), world.list('error')]).toEqual([['a.pdf'], []])

        fails = false
        await world.sweeper.sweep()
        expect(await world.row(id)).toMatchObject({ status: 'Completed', input_disposal: 'deleted' })
        expect(world.stuck.folderTrouble('default')).toBeUndefined()
        expect(await world.eventTypes()).toEqual(['FolderResumed', 'FolderStopped'])
        expect([world.list('input'), world.list('output')]).toEqual([[], ['a.signed.pdf']])
      })

    it('shows its folder Stopped with the reason, takes nothing from it, and goes on afterwards', async () => {
      const world = await intakeWorld({ store: await openBatchStore(open) })
      world.intake.start()
      const job = { id: randomUUID(), file_name: 'a.pdf', input_folder: 'default' }
      await world.stuck.inputStuck(job, said('system-error', { error: 'EACCES' }))
      await world.drop('b.pdf')
      const { body } = await world.call('GET', '/api/folders')
      const lastError = 'The file a.pdf was signed and cannot be removed: EACCES.'
      expect(body.folders).toMatchObject([{ name: 'default', status: 'Stopped', lastError }])
      expect(await world.intake.folders('pt-BR')).toMatchObject([
        { lastError: 'O arquivo a.pdf foi assinado e não pode ser removido: EACCES.' },
      ])
      expect(await world.names()).toEqual([])
      await world.stuck.inputFreed(job.id)
      await expect.poll(() => world.names()).toEqual(['b.pdf Queued'])
      const { items } = await world.context.events.list()
      expect(items.map(({ type }) => type)).toEqual(['FolderResumed', 'FolderStopped'])
    })

    it('is found again by the next start', async () => {
      let fails = true
      const world = await pipelineWorld(open, {
        faults: ({ operation }) => (fails && operation === 'unlinkSync' ? { errno: 'EPERM' } : undefined),
      })
      const id = await world.drop('a.pdf', samplePdf('A contract'))
      world.pipeline.start()
      await expect.poll(() => world.stuck.folderTrouble('default')).toBeDefined()
      await world.pipeline.stop()
      expect(await world.recover()).toEqual({ interrupted: 0, finished: 0, putAway: 0 })
      expect(world.stuck.folderTrouble('default')).toBeDefined()
      fails = false
      expect(await world.recover()).toEqual({ interrupted: 0, finished: 1, putAway: 0 })
      expect(await world.row(id)).toMatchObject({ input_disposal: 'deleted' })
    })
  })

const operations = ['mkdir', 'open', 'openSync', 'writevSync', 'write', 'fsync', 'rename', 'renameNewSync', 'readdir']
const more = ['accessSync', 'remove', 'unlink', 'unlinkSync', 'lstatSync', 'fstatSync', 'read', 'readSync', 'close']

describe('no job hangs', () => {
  it.each(['EIO', 'ENOTDIR', 'ESTALE'] as const)(
    'whichever call of the file system fails with %s: each job ends, and its files are finished when it is over',
    { timeout: 120_000 },
    async (errno) => {
      let broken = ''
      const world = await pipelineWorld(testStores.SQLite, {
        settings: { Pipeline: { InMemoryBytes: 65_536 } },
        faults: ({ operation }) => (operation === broken ? { errno } : undefined),
      })
      world.pipeline.start()
      const ids: string[] = []
      for (const operation of [...operations, ...more]) {
        broken = operation
        ids.push(await world.drop(`${operation}.txt`, 'small'))
        ids.push(await world.drop(`${operation}.bin`, Buffer.alloc(100_000)))
        // Where the work folders cannot be used at all, jobs wait and are not at fault.
        const rests = () => world.pipeline.inFlight().total === 0 || world.pipeline.waitsForStorage() !== undefined
        await expect.poll(rests, { interval: 5 }).toBe(true)
        broken = ''
        await expect.poll(() => world.pipeline.inFlight().total, { interval: 5 }).toBe(0)
        await world.sweeper.sweep()
        await world.sweeper.sweep()
      }
      const rows = await Promise.all(ids.map((id) => world.row(id)))
      const open = rows.filter(
        (row) => !['Completed', 'Failed'].includes(row.status) || row.input_disposal === 'pending',
      )
      expect(open.map(({ file_name, status, input_disposal }) => [file_name, status, input_disposal])).toEqual([])
      expect(world.list('processing')).toEqual([])
      const delivered = rows.filter(({ status }) => status === 'Completed').map(({ output_name }) => output_name)
      expect(world.list('output')).toEqual(delivered.sort())
    },
  )

  /** A ledger that records no end of a job, until it is mended. */
  async function forgetful(openStore: (typeof testStores)['SQLite']) {
    const world = await pipelineWorld(openStore)
    const { ledger } = world.context
    const { completed, failed } = ledger
    const broken = () => Promise.reject(new Error('no connection'))
    Object.assign(ledger, { completed: broken, failed: broken })
    const mend = () => void Object.assign(ledger, { completed, failed })
    const id = await world.drop('a.pdf', samplePdf('A contract'))
    world.pipeline.start()
    /** An attempt ends unrecorded, and is found by two sweeps: one may just have been begun. */
    const attempt = async (then = () => {}) => {
      await expect.poll(async () => (await world.row(id)).reached_key_at).not.toBeNull()
      await expect.poll(() => world.pipeline.inFlight().total).toBe(0)
      then()
      await world.sweeper.sweep()
      await world.sweeper.sweep()
    }
    return { world, id, mend, attempt }
  }

  it.each(Object.entries(testStores))(
    'when its result cannot be recorded at the moment it ends: nobody has seen its output, and it is signed again, on %s',
    async (_name, openStore) => {
      const { world, id, mend, attempt } = await forgetful(openStore)
      await attempt(mend)
      await expect.poll(async () => (await world.row(id)).status).toBe('Completed')
      expect(await world.row(id)).toMatchObject({ error_code: null, owner: expect.anything() })
      expect([world.list('output'), world.list('processing'), world.list('error')]).toEqual([['a.signed.pdf'], [], []])
      const lines = await world.history(id)
      expect(lines.map(({ status }) => status)).toEqual([
        'Queued',
        'Processing',
        'Queued',
        'Processing',
        'Verifying',
        'Completed',
      ])
      expect(lines[2]).toMatchObject({ code: 'job.interrupted', message: expect.stringMatching(/^Waits again: /) })
    },
  )

  it('when its result can never be recorded: after three more attempts it fails', async () => {
    const { world, id, mend, attempt } = await forgetful(testStores.SQLite)
    for (let attempts = 0; attempts < 3; attempts++) {
      await attempt()
      expect((await world.row(id)).status).not.toBe('Failed')
    }
    await attempt(mend)
    expect(await world.row(id)).toMatchObject({ status: 'Failed', error_code: 'job.interrupted' })
    expect((await world.row(id)).error_message).toMatch(/^The job could not be brought to its end\. .*none was put out/)
    expect([world.list('output'), world.list('processing')]).toEqual([[], []])
  })
})
