// Uploads while PostgreSQL is away: behind a door that is shut under the running service.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { doorTo, testStores } from '@chancela/testkit/stores'
import { temporaryFolder } from '@chancela/testkit/tools'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { batchSigner } from '../src/index.ts'
import type { Tables } from '../src/store/tables.ts'
import { startBatchSigner } from './test-support/running-service.ts'

const surfaces = ['full', 'compact'] as const
type Surface = (typeof surfaces)[number]

const accepted: Readonly<Record<Surface, number>> = { full: 202, compact: 202 }
const unhurried = { timeout: 120_000, interval: 50 }

async function world() {
  const store = await testStores.PostgreSQL<Tables>(batchSigner.migrations)
  const door = await doorTo(store.url)
  const service = await startBatchSigner({
    database: 'PostgreSQL',
    after: { store, dataFolder: temporaryFolder() },
    settings: { Database: { Url: door.url } },
  })
  // Before the service is stopped, which would wait for the database.
  onTestFinished(async () => {
    await door.shut()
    await door.open()
  })
  /** Files of uploads, those on their way included. */
  const uploads = () => readdirSync(join(service.folder, 'batch-signer/uploads')).filter((name) => name.includes('-4'))
  const jobs = async () => {
    const rows = await store.db.selectFrom('job').select(['file_name', 'status']).execute()
    return rows.map(({ file_name, status }) => `${file_name} ${status}`).sort()
  }
  /** Keeps every change of a job from being written, until it is released; reads go on. */
  const holdHistory = () =>
    new Promise<() => Promise<void>>((holding, reject) => {
      const held = store.transaction(async (tx) => {
        await sql`lock table job_history in share row exclusive mode`.execute(tx)
        await new Promise<void>((release) => {
          holding(() => {
            release()
            return held
          })
        })
      })
      held.catch(reject)
    })
  return { ...service, door, uploads, jobs, holdHistory }
}

type World = Awaited<ReturnType<typeof world>>

function upload(service: World, surface: Surface, name: string) {
  const body = new FormData()
  body.append('file', new File(['content'], name))
  return service[surface].call('POST', '/api/files', { body })
}

/** An upload of which half was received; `end` sends the rest. */
async function begun(service: World, surface: Surface, name: string) {
  const { readable: body, writable } = new TransformStream<Uint8Array>()
  const to = writable.getWriter()
  const say = (text: string) => void to.write(Buffer.from(text))
  say(`--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\nhalf of the content`)
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  const answer = service[surface].call('POST', '/api/files', { body, headers, duplex: 'half' } as RequestInit)
  await vi.waitUntil(() => service.uploads().length > 0, unhurried)
  return {
    end: () => {
      say(', and the rest\r\n--b--\r\n')
      void to.close()
      return answer
    },
  }
}

async function expectAway(answer: Response): Promise<void> {
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await answer.json()).toMatchObject({ code: 'service.busy' })
}

describe.each(surfaces)('an upload on the %s surface', (surface) => {
  test('is answered 503 while the database is away, leaves nothing, and is taken when it is sent again', async () => {
    const service = await world()
    const half = await begun(service, surface, 'half.txt')
    await service.door.shut()
    await expectAway(await half.end())
    await expectAway(await upload(service, surface, 'whole.txt'))
    expect(service.uploads()).toEqual([])

    await service.door.open()
    for (const name of ['half.txt', 'whole.txt'])
      await vi.waitUntil(async () => (await upload(service, surface, name)).status === accepted[surface], unhurried)
    await vi.waitUntil(async () => (await service.jobs()).every((job) => job.endsWith('Completed')), unhurried)
    expect(await service.jobs()).toEqual(['half.txt Completed', 'whole.txt Completed'])
  })
})

test('whoever waits for an answer does not wait for a slow database: 503 to an upload, a retry and a cancel, and no file is signed by them', async () => {
  const service = await world()
  const api = service.full
  await upload(service, 'full', 'failed.pdf')
  await vi.waitUntil(async () => (await service.jobs()).includes('failed.pdf Failed'), unhurried)
  await api.call('POST', '/api/pipeline/pause')
  await upload(service, 'full', 'queued.txt')
  const { body } = await api.json<{ items: { id: string; fileName: string }[] }>('GET', '/api/jobs')
  const idOf = (name: string) => body.items.find(({ fileName }) => fileName === name)!.id
  const release = await service.holdHistory()
  const answers = await Promise.all([
    upload(service, 'full', 'new.txt'),
    api.call('POST', `/api/jobs/${idOf('failed.pdf')}/retry`),
    api.call('POST', `/api/jobs/${idOf('queued.txt')}/cancel`),
  ])
  for (const answer of answers) await expectAway(answer)
  await release()

  // What was asked of a job is done when it can be; what would have been a job is none.
  await vi.waitUntil(async () => (await service.jobs()).includes('queued.txt Canceled'), unhurried)
  await vi.waitUntil(async () => !(await service.jobs()).some((job) => job.endsWith('Queued')), unhurried)
  await api.call('POST', '/api/pipeline/resume')
  await vi.waitUntil(async () => (await upload(service, 'full', 'new.txt')).status === accepted.full, unhurried)
  await vi.waitUntil(async () => (await service.jobs()).includes('new.txt Completed'), unhurried)
  const ended = (await service.jobs()).filter((job) => !job.endsWith('Canceled'))
  expect(ended).toEqual(['failed.pdf Failed', 'new.txt Completed'])
  // What was withdrawn was no operator's cancel.
  expect(await (await api.call('GET', '/api/metrics')).text()).toContain('bulk_jobs_canceled_total 1\n')
})
