import { existsSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { withImpossibleNames } from '../src/test-support/ledger-world.ts'
import { complete, databases, fail, pickUp, queue, sharedJobs, startJobs } from './test-support/jobs-world.ts'

for (const database of databases) {
  const freshJobs = sharedJobs(database)

  describe(`DELETE /api/jobs (Clear Jobs) on ${database}`, () => {
    test('deletes every job in every status with its files and all earlier events, and resets the statistics', async () => {
      const world = await freshJobs()
      const done = await complete(world)
      const failed = await fail(world, { staged: true })
      const queued = await queue(world)
      await world.context.events.record(world.store.db, { type: 'PipelinePaused', actor: 'test', text: 'Earlier.' })
      world.clock.advance(1_000)
      const { status, body } = await world.json('DELETE', '/api/jobs')
      expect(status).toBe(200)
      expect(body).toEqual({
        deleted: 3,
        filesDeleted: 1,
        foldersDeleted: 1,
        eventsDeleted: 1,
        itemsFailed: 0,
        message: '3 jobs deleted.',
      })
      expect((await world.json('GET', '/api/jobs')).body.totalCount).toBe(0)
      expect(existsSync(world.work.outputPath(done.outputName))).toBe(false)
      expect(await world.work.errorFile(failed.id, failed.fileName)).toBeUndefined()
      for (const { originalPath } of [failed, queued])
        expect(existsSync(originalPath), 'a file nobody has signed').toBe(true)
      const refused = await world.store.db.selectFrom('input_tombstone').select(['path', 'verdict']).execute()
      expect(new Map(refused.map(({ path, verdict }) => [path, verdict]))).toEqual(
        new Map([
          [failed.originalPath, 'Failed'],
          [queued.originalPath, 'Canceled'],
        ]),
      )
      for (const table of ['job_history', 'job_payments', 'throughput'] as const)
        expect(await world.store.db.selectFrom(table).selectAll().execute()).toEqual([])
      const { items } = await world.context.events.list()
      expect(items).toMatchObject([{ type: 'JobsCleared', actor: 'api-key' }])
      const { performance, counts } = (await world.json('GET', '/dashboard/api/overview')).body
      expect(performance).toMatchObject({ since: world.clock().toISOString(), averageJobMs: null })
      expect(counts.Completed).toBe(0)
    })

    test('leaves nothing behind that several of the jobs shared', async () => {
      const world = await freshJobs()
      const upload = await fail(world, { inputFolder: null, source: 'Upload' })
      expect((await world.json('POST', `/api/jobs/${upload.id}/retry`)).status).toBe(202)
      const [one, other] = [await queue(world), await queue(world)]
      const both = [one.id, other.id]
      await world.store.db
        .updateTable('job')
        .set({ status: 'Completed', output_name: 'a.signed.pdf' })
        .where('id', 'in', both)
        .execute()
      await writeFile(world.work.outputPath('a.signed.pdf'), 'signed twice')
      expect((await world.json('DELETE', '/api/jobs')).body).toMatchObject({ deleted: 4, itemsFailed: 0 })
      expect(existsSync(upload.originalPath)).toBe(false)
      expect(existsSync(world.work.outputPath('a.signed.pdf'))).toBe(false)
    })

    test('takes jobs along whose files have names that no file can have', async () => {
      const world = await freshJobs()
      await withImpossibleNames(world.context.ledger, world.clock())
      expect((await world.json('DELETE', '/api/jobs')).body).toMatchObject({ deleted: 4, itemsFailed: 0 })
    })

    test('leaves a job in flight to its worker and counts it as failed', async () => {
      const world = await freshJobs()
      const running = await queue(world)
      await pickUp(world, running.id)
      const { body } = await world.json('DELETE', '/api/jobs')
      expect(body).toMatchObject({ deleted: 0, itemsFailed: 1 })
      const { ledger } = world.context
      expect(
        await ledger.failed(
          running.id,
          { from: 'Processing', code: 'job.signing-failed', error: 'No.' },
          world.clock(),
        ),
      ).toBe(true)
      expect((await world.json('DELETE', '/api/jobs')).body).toMatchObject({ deleted: 1, itemsFailed: 0 })
    })

    test('fails before any row when the storage is out of reach', async () => {
      const world = await freshJobs()
      await complete(world)
      const processing = join(world.dataFolder, 'batch-signer', 'processing')
      await rename(processing, `${processing}-away`)
      const { status, body } = await world.json('DELETE', '/api/jobs')
      expect([status, body.code]).toEqual([503, 'service.busy'])
      await rename(`${processing}-away`, processing)
      expect((await world.json('GET', '/api/jobs')).body.totalCount).toBe(1)
    })

    test('runs to its end if the caller leaves', async () => {
      const world = await startJobs(database)
      for (let n = 0; n < 5; n += 1) await complete(world)
      const leaving = new AbortController()
      const left = new Promise<void>((resolve) => leaving.signal.addEventListener('abort', () => resolve()))
      const { removeOutput } = world.work
      Object.assign(world.work, {
        removeOutput: async (...given: Parameters<typeof removeOutput>) => {
          leaving.abort()
          await left
          return removeOutput(...given)
        },
      })
      await expect(world.call('DELETE', '/api/jobs', { signal: leaving.signal })).rejects.toThrow()
      await expect.poll(async () => (await world.context.events.list({ type: 'JobsCleared' })).total).toBe(1)
      expect((await world.json('GET', '/api/jobs')).body.totalCount).toBe(0)
    })
  })

  describe(`DELETE /dashboard/api/jobs/{id} on ${database}`, () => {
    test('removes the job, its history and its files, records JobDeleted, and the name is new again', async () => {
      const world = await freshJobs()
      const job = await complete(world, { fileName: 'a.pdf' })
      const { status, body } = await world.json('DELETE', `/dashboard/api/jobs/${job.id}`, {
        reason: 'sent by mistake',
      })
      expect(status).toBe(200)
      expect(body).toEqual({ removed: ['output/a.signed.pdf'], kept: [] })
      expect((await world.json('GET', `/api/jobs/${job.id}`)).status).toBe(404)
      const [event] = (await world.context.events.list()).items
      expect(event).toMatchObject({ type: 'JobDeleted', actor: 'api-key', subject: { kind: 'job', id: job.id } })
      expect(event!.text).toContain('sent by mistake')
      const again = { ...job, id: crypto.randomUUID() }
      expect(await world.context.ledger.enqueue(again, world.clock())).toEqual({ outcome: 'Enqueued' })
    })

    test('is refused while a worker has the job; an unfinished one is canceled first', async () => {
      const world = await freshJobs()
      const running = await queue(world)
      await pickUp(world, running.id)
      const refused = await world.json('DELETE', `/dashboard/api/jobs/${running.id}`)
      expect([refused.status, refused.body.code]).toEqual([409, 'job.in-flight'])
      const waiting = await queue(world)
      const { body } = await world.json('DELETE', `/dashboard/api/jobs/${waiting.id}`)
      expect(body).toEqual({ removed: [], kept: [`input ${waiting.originalPath}: not signed, stays refused`] })
      expect(await world.context.ledger.claim(1, world.clock())).toEqual([])
    })

    test('removes a job whose file has a name that no file can have', async () => {
      const world = await freshJobs()
      for (const id of await withImpossibleNames(world.context.ledger, world.clock()))
        expect((await world.json('DELETE', `/dashboard/api/jobs/${id}`)).status).toBe(200)
      expect((await world.json('GET', '/api/jobs')).body.totalCount).toBe(0)
    })

    test('the last copy of a file that was not signed is never removed', async () => {
      const world = await freshJobs()
      const remove = async (id: string) => (await world.json('DELETE', `/dashboard/api/jobs/${id}`)).body
      const refused = await fail(world, { staged: true })
      expect(await remove(refused.id)).toEqual({
        removed: [`error/${refused.id}`],
        kept: [`input ${refused.originalPath}: not signed, stays refused`],
      })
      expect(existsSync(refused.originalPath)).toBe(true)

      const gone = await fail(world, { staged: true })
      await rm(gone.originalPath)
      expect(await remove(gone.id)).toEqual({
        removed: [],
        kept: [`error/${gone.id}: the last copy of a file that was not signed`],
      })
      expect(await world.work.errorFile(gone.id, gone.fileName)).toBeDefined()

      const wanted = await fail(world, { staged: true })
      await world.json('POST', `/api/jobs/${wanted.id}/retry`)
      expect((await remove(wanted.id)).kept).toEqual([`input ${wanted.originalPath}: another unfinished job names it`])
      expect(existsSync(wanted.originalPath)).toBe(true)
    })

    test('the file of a failed upload stays in error/ under its own name, whether or not a copy lay there', async () => {
      const world = await freshJobs()
      for (const isCopied of [true, false]) {
        const upload = await fail(world, { inputFolder: null, source: 'Upload', content: 'the only copy' })
        if (!isCopied) await world.work.removeError(upload.id)
        expect((await world.json('DELETE', `/dashboard/api/jobs/${upload.id}`)).body).toEqual({
          removed: isCopied ? [`input ${upload.originalPath}`] : [],
          kept: [`error/${upload.id}: the last copy of a file that was not signed`],
        })
        expect(existsSync(upload.originalPath)).toBe(false)
        const kept = await world.work.errorFile(upload.id, upload.fileName)
        expect(await readFile(kept!, 'utf8')).toBe('the only copy')
      }
    })

    test('the file of an upload that was canceled goes with its last job', async () => {
      const world = await freshJobs()
      const upload = await fail(world, { inputFolder: null, source: 'Upload' })
      const { body: retry } = await world.json('POST', `/api/jobs/${upload.id}/retry`)
      await world.json('POST', `/api/jobs/${retry.newJobId}/cancel`)
      const first = await world.json('DELETE', `/dashboard/api/jobs/${upload.id}`)
      expect(first.body.kept).toEqual([`input ${upload.originalPath}: another job names it`])
      const last = await world.json('DELETE', `/dashboard/api/jobs/${retry.newJobId}`)
      expect(last.body.removed).toEqual([`input ${upload.originalPath}`])
      expect(existsSync(upload.originalPath)).toBe(false)
    })

    test('an output that another file or job put there stays', async () => {
      const world = await freshJobs()
      const holder = await complete(world, { fileName: 'a.pdf' })
      const refused = await fail(world, { fileName: 'a.pdf', code: 'job.output-exists' })
      await world.store.db
        .updateTable('job')
        .set({ output_name: holder.outputName })
        .where('id', '=', refused.id)
        .execute()
      await world.json('DELETE', `/dashboard/api/jobs/${refused.id}`)
      expect(existsSync(world.work.outputPath(holder.outputName))).toBe(true)
    })
  })
}
