// A second version of a file, refused for its name, lies only in error/: the service itself took it out of its folder.
// Nothing but a person removes it.
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY } from '@chancela/service-kernel/clock'
import { describe, expect, test } from 'vitest'
import { databases, type RunningBatchSigner, startBatchSigner } from './test-support/running-service.ts'

interface Job {
  readonly id: string
  readonly status: string
  readonly errorCode: string | null
}

const jobs = async ({ full }: RunningBatchSigner): Promise<readonly Job[]> =>
  (await full.json<{ items: Job[] }>('GET', '/api/jobs')).body.items

const drop = (service: RunningBatchSigner, content: string) => writeFile(join(service.input(), 'folha.txt'), content)

/** A file is signed; another one of its name is refused. Returns the path of its copy, and its job. */
async function refused(service: RunningBatchSigner) {
  await drop(service, 'version 1')
  await expect.poll(() => jobs(service)).toMatchObject([{ status: 'Completed' }])
  await drop(service, 'version 2')
  await expect.poll(() => jobs(service)).toMatchObject([{ errorCode: 'file.already-processed' }, {}])
  const { id } = (await jobs(service))[0]!
  const copy = join(service.error, id, 'folha.txt')
  expect(await readFile(copy, 'utf8')).toBe('version 2')
  return { id, copy }
}

for (const database of databases)
  describe(`a file refused for its name, on ${database}`, () => {
    test('outlives retention with its job, and the event says so; without its copy the job goes', async () => {
      let ahead = 0
      const service = await startBatchSigner({ database, clock: () => new Date(Date.now() + ahead) })
      const { id, copy } = await refused(service)
      ahead = 31 * DAY
      const cleanUp = async () => (await service.full.json('POST', '/api/cleanup')).body
      expect(await cleanUp()).toMatchObject({ jobsDeleted: 1, outputFilesDeleted: 1, errorFilesDeleted: 0, errors: 0 })
      expect(await jobs(service)).toMatchObject([{ id, status: 'Failed' }])
      expect(await readFile(copy, 'utf8')).toBe('version 2')
      const events = await service.full.json<{ items: { message: string }[] }>(
        'GET',
        '/api/events?eventType=RetentionCompleted',
      )
      expect(events.body.items[0]!.message).toContain('1 jobs stay with the only copy of a file that was not signed.')
      await rm(copy)
      expect(await cleanUp()).toMatchObject({ jobsDeleted: 1, errors: 0 })
      expect(await jobs(service)).toEqual([])
    })

    test('stays when its job is deleted, although another version lies in the folder, and when jobs are cleared', async () => {
      const service = await startBatchSigner({ database })
      const { id, copy } = await refused(service)
      await service.full.json('POST', '/dashboard/api/folders/default/pause')
      await drop(service, 'version 3')
      const gone = await service.full.json('DELETE', `/dashboard/api/jobs/${id}`)
      expect(gone.body).toMatchObject({
        kept: expect.arrayContaining([`error/${id}: the last copy of a file that was not signed`]),
      })
      expect(existsSync(copy)).toBe(true)

      await service.full.json('POST', '/dashboard/api/folders/default/resume')
      await expect.poll(() => jobs(service)).toMatchObject([{ errorCode: 'file.already-processed' }, {}])
      const third = (await jobs(service))[0]!.id
      const { body } = await service.full.json('DELETE', '/api/jobs')
      expect(body).toMatchObject({ message: expect.stringContaining('1 files that were not signed stay in error/.') })
      expect(await readFile(join(service.error, third, 'folha.txt'), 'utf8')).toBe('version 3')
      expect(existsSync(copy)).toBe(true)
    })
  })
