import { rename, rm, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { complete, databases, fail, pickUp, queue, sharedJobs } from './test-support/jobs-world.ts'

for (const database of databases) {
  const freshJobs = sharedJobs(database)

  describe(`GET /api/jobs/{id}/output on ${database}`, () => {
    test('streams the file of a Completed job as an attachment under its name', async () => {
      const world = await freshJobs()
      const content = 'x'.repeat(300_000)
      const job = await complete(world, { fileName: 'Relatório "final".pdf', output: content })
      const answer = await world.call('GET', `/api/jobs/${job.id}/output`)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('application/pdf')
      expect(answer.headers.get('content-length')).toBe('300000')
      expect(answer.headers.get('content-disposition')).toBe(
        `attachment; filename="Relat_rio _final_.signed.pdf"; filename*=UTF-8''Relat%C3%B3rio%20%22final%22.signed.pdf`,
      )
      expect(await answer.text()).toBe(content)
    })

    test('an encrypted output has the name with .enc and no telling media type', async () => {
      const world = await freshJobs()
      const job = await complete(world, { fileName: 'a.pdf', encrypted: true })
      const answer = await world.call('GET', `/api/jobs/${job.id}/output`)
      expect(answer.headers.get('content-disposition')).toBe('attachment; filename="a.signed.pdf.enc"')
      expect(answer.headers.get('content-type')).toBe('application/octet-stream')
    })

    test('answers 409 job.output-unavailable for any status other than Completed', async () => {
      const world = await freshJobs()
      const failed = await fail(world)
      const running = await queue(world)
      await pickUp(world, running.id)
      const queued = await queue(world)
      const canceled = await queue(world)
      await world.json('POST', `/api/jobs/${canceled.id}/cancel`)
      for (const { id } of [failed, running, queued, canceled]) {
        const { status, body } = await world.json('GET', `/api/jobs/${id}/output`)
        expect([status, body.code]).toEqual([409, 'job.output-unavailable'])
      }
    })

    test('answers 410 job.output-gone when the file has left output/', async () => {
      const world = await freshJobs()
      const job = await complete(world)
      await rm(world.work.outputPath(job.outputName))
      const { status, body } = await world.json('GET', `/api/jobs/${job.id}/output`)
      expect([status, body.code]).toEqual([410, 'job.output-gone'])
    })

    test('looks under the name the current naming rules of the profile produce', async () => {
      const world = await freshJobs()
      const job = await complete(world, { fileName: 'a.txt', format: 'Cades' })
      const path = `/api/jobs/${job.id}/output`
      expect((await world.call('GET', path)).status).toBe(200)
      world.profiles.set('default', { saveAsPem: true })
      expect((await world.json('GET', path)).body.code).toBe('job.output-gone')
      // Somebody moves the file to where the current rules look for it.
      await rename(world.work.outputPath('a.txt.p7m'), world.work.outputPath('a.txt.pem'))
      expect((await world.call('GET', path)).headers.get('content-type')).toBe('application/x-pem-file')
    })

    test('never hands out a file under that name that this job did not write', async () => {
      const world = await freshJobs()
      const job = await complete(world, { output: 'signed content' })
      await writeFile(world.work.outputPath(job.outputName), 'a file of somebody else')
      expect((await world.json('GET', `/api/jobs/${job.id}/output`)).body.code).toBe('job.output-gone')
    })
  })
}
