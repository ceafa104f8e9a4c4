import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { samplePdf } from '@chancela/testkit/samples'
import { testStores } from '@chancela/testkit/stores'
import { describe, expect, it } from 'vitest'
import { jobStatuses } from '../src/rules/job.ts'
import { recoveryActions } from '../src/rules/recovery.ts'
import { storesOf } from '../src/test-support/as-new.ts'
import { pipelineWorld } from '../src/workers/test-support/pipeline-world.ts'

type World = Awaited<ReturnType<typeof pipelineWorld>>

const content = { sha256: '00'.repeat(32), length: 4, outputName: 'a.signed.pdf' }

/** What a process had done when it died; each step includes the previous ones. */
const deaths = {
  'after the pick-up': async ({ context }: World) => {
    await context.ledger.claim(1, context.clock())
  },
  'after the key was asked': async ({ context }: World, id: string) => {
    await context.ledger.claim(1, context.clock())
    await context.ledger.reachedKey(id, content, context.clock())
  },
  'after the signature': async ({ context, work }: World, id: string) => {
    await context.ledger.claim(1, context.clock())
    await context.ledger.reachedKey(id, content, context.clock())
    await context.ledger.signed(id, { message: 'Signed.' }, context.clock())
    await work.write(id, [Buffer.from('signed')])
  },
}

const completed = { encrypted: false, outputLength: 6, queueMs: 0, signingMs: 1, verificationMs: 1, outputMs: 1 }

it('has an action for every state, and leaves those alone that wait for somebody', () => {
  expect(Object.keys(recoveryActions).sort()).toEqual([...jobStatuses].sort())
  const left = jobStatuses.filter((status) => recoveryActions[status] === 'leave')
  expect(left).toEqual(['Queued', 'AwaitingSigner', 'AwaitingApproval'])
})

for (const [name, openStore] of Object.entries(testStores))
  describe(`start-up recovery on ${name}`, () => {
    const open = storesOf(openStore)

    for (const [moment, die] of Object.entries(deaths))
      it(`fails a job that was in flight, ${moment}: no output, a copy in error/<jobid>/, the input left in place`, async () => {
        const world = await pipelineWorld(open)
        const id = await world.drop('a.pdf', samplePdf('A contract'))
        await die(world, id)
        expect(await world.recover()).toMatchObject({ interrupted: 1 })
        const row = await world.row(id)
        expect(row).toMatchObject({ status: 'Failed', error_code: 'job.interrupted' })
        expect(row.error_message).toMatch(
          moment === 'after the pick-up' ? /The key had not been asked/ : /The key had been asked to sign at .*Z/,
        )
        expect(world.list('output')).toEqual([])
        expect(world.list('processing')).toEqual([])
        expect(world.list('input')).toEqual(['a.pdf'])
        expect(world.read('error', id, 'a.pdf').equals(samplePdf('A contract'))).toBe(true)
        expect((await world.history(id)).at(-1)).toMatchObject({ status: 'Failed', code: 'job.interrupted' })
        expect(await world.eventTypes()).toEqual(['StartupRecovery'])
        expect(await world.recover()).toEqual({ interrupted: 0, finished: 0, putAway: 0 })
      })

    it('delivers what was promised, once: also when a consumer took the file before the crash', async () => {
      const world = await pipelineWorld(open)
      const { ledger, clock } = world.context
      const complete = async (fileName: string) => {
        const id = await world.drop(fileName, 'x')
        await ledger.claim(1, clock())
        await ledger.reachedKey(id, { ...content, outputName: `${fileName}.out` }, clock())
        await ledger.signed(id, { message: 'Signed.' }, clock())
        await world.work.write(id, [Buffer.from('signed')])
        await ledger.completed(id, { ...completed, message: 'Done.' }, clock())
        return id
      }
      const [waits, taken] = [await complete('waits.bin'), await complete('taken.bin')]
      await world.work.promote(taken, { folder: null, name: 'taken.bin.out' })
      renameSync(join(world.root, 'output', 'taken.bin.out'), join(world.root, 'consumed'))
      await world.recover()
      expect(world.list('output')).toEqual(['waits.bin.out'])
      for (const id of [waits, taken]) expect(await world.row(id)).toMatchObject({ status: 'Completed' })
      expect(await world.work.leftovers()).toEqual([])
    })

    it('leaves the output of a stranger alone that has the name of an interrupted job', async () => {
      const world = await pipelineWorld(open)
      const id = await world.drop('a.pdf', samplePdf('A contract'))
      await deaths['after the signature'](world, id)
      writeFileSync(join(world.root, 'output', 'a.signed.pdf'), 'of a stranger')
      await world.recover()
      expect(world.read('output', 'a.signed.pdf').toString()).toBe('of a stranger')
    })

    it('moves processing/<jobid>/ of an interrupted job to error/<jobid>/', async () => {
      const world = await pipelineWorld(open)
      const path = join(world.root, 'input', '0b7e.bin')
      const id = await world.drop('0b7e.bin', 'input', { fileName: 'large.bin', originalPath: path, inputFolder: null })
      await deaths['after the pick-up'](world)
      mkdirSync(join(world.root, 'processing', id))
      writeFileSync(join(world.root, 'processing', id, '0b7e.bin'), 'staged copy')
      await world.recover()
      expect(world.read('error', id, 'large.bin').toString()).toBe('staged copy')
      expect(world.list('processing')).toEqual([])
    })

    it('finishes completed jobs: the input is compared and deleted, or left in place when it changed', async () => {
      const world = await pipelineWorld(open)
      const complete = async (fileName: string) => {
        const id = await world.drop(fileName, samplePdf(fileName))
        const staged = await world.inputs.stage(id, join(world.root, 'input', fileName))
        const { ledger, clock } = world.context
        await ledger.claim(1, clock())
        const { sha256, length } = staged
        await ledger.reachedKey(id, { sha256, length, outputName: `${fileName}.out` }, clock())
        await ledger.signed(id, { message: 'Signed.' }, clock())
        await world.work.write(id, [Buffer.from('signed')])
        await ledger.completed(id, { ...completed, message: 'Done.' }, clock())
        return id
      }
      const [same, changed] = [await complete('same.pdf'), await complete('changed.pdf')]
      writeFileSync(join(world.root, 'input', 'changed.pdf'), 'something else')
      expect(await world.recover()).toMatchObject({ interrupted: 0, finished: 2 })
      expect(await world.row(same)).toMatchObject({ status: 'Completed', input_disposal: 'deleted' })
      expect(await world.row(changed)).toMatchObject({ status: 'Completed', input_disposal: 'diverged' })
      expect(world.list('input')).toEqual(['changed.pdf'])
      expect(world.list('output')).toEqual(['changed.pdf.out', 'same.pdf.out'])
      expect(world.list('processing')).toEqual([])
      expect(await world.metric('bulk_inputs_diverged_total{profile="default"}')).toBe(1)
    })

    it('leaves jobs alone that wait, with what they have under processing/', async () => {
      const world = await pipelineWorld(open)
      const ids = [await world.drop('a.pdf', 'a'), await world.drop('b.pdf', 'b'), await world.drop('c.pdf', 'c')]
      const waiting = ['Queued', 'AwaitingApproval', 'AwaitingSigner'] as const
      for (const [index, id] of ids.entries()) {
        await world.store.db.updateTable('job').set({ status: waiting[index]! }).where('id', '=', id).execute()
        mkdirSync(join(world.root, 'processing', id))
      }
      expect(await world.recover()).toEqual({ interrupted: 0, finished: 0, putAway: 0 })
      expect(world.list('processing')).toEqual([...ids].sort())
    })

    it('puts what has no active job under processing/ away: to error/, or away for good when the job completed', async () => {
      const world = await pipelineWorld(open)
      const orphan = '7c1b2f0a-58de-4c11-8a55-0a8d1c0f8c31'
      mkdirSync(join(world.root, 'processing', orphan))
      writeFileSync(join(world.root, 'processing', orphan, 'lost.pdf'), 'somebody’s file')
      const failed = await world.drop('b.pdf', 'b')
      await world.store.db.updateTable('job').set({ status: 'Failed' }).where('id', '=', failed).execute()
      await world.work.write(failed, [Buffer.from('signed')])
      expect(await world.recover()).toEqual({ interrupted: 0, finished: 0, putAway: 2 })
      expect(world.list('processing')).toEqual([])
      expect(world.read('error', orphan, 'lost.pdf').toString()).toBe('somebody’s file')
      expect(world.list('error')).toEqual([orphan, failed].sort())
      expect(readdirSync(join(world.root, 'error', failed))).toEqual(['b.pdf'])
    })

    it('ends the jobs even when error/ cannot be written, and says so', async () => {
      const world = await pipelineWorld(open, {
        faults: ({ operation, path }) =>
          operation === 'mkdir' && path.includes('/error/') ? { errno: 'ENOSPC' } : undefined,
      })
      const id = await world.drop('a.pdf', samplePdf('A contract'))
      await deaths['after the pick-up'](world)
      await world.recover()
      expect(await world.row(id)).toMatchObject({ status: 'Failed', error_code: 'job.interrupted' })
      expect((await world.history(id)).map(({ message }) => message)).toContain(
        'The file could not be copied to error/; it is still where it was.',
      )
      expect(world.list('input')).toEqual(['a.pdf'])
    })
  })
