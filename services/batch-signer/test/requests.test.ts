// What a request may say: names, values and bodies are honoured or refused by the code that means it.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY } from '@chancela/service-kernel/clock'
import { describe, expect, test } from 'vitest'
import { API_KEY, databases, type RunningBatchSigner, startBatchSigner } from './test-support/running-service.ts'

const form = (fileName: string, content = 'content', fields: Readonly<Record<string, string>> = {}) => {
  const body = new FormData()
  body.set('file', new Blob([content]), fileName)
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  return { body }
}

const refused = (status: number, code: string) => ({ status, body: { status, code } })

const json = (body: string) => ({ body, headers: { 'content-type': 'application/json' } })

async function ended({ compact }: RunningBatchSigner, jobId: string): Promise<Record<string, unknown>> {
  await expect
    .poll(async () => (await compact.json('GET', `/api/jobs/${jobId}`)).body.status)
    .toMatch(/^(?:Completed|Failed|Rejected)$/)
  return (await compact.json('GET', `/api/jobs/${jobId}`)).body
}

for (const database of databases)
  describe(`requests on ${database}`, () => {
    test('names that are not listed are refused by name, on both surfaces', async () => {
      const { full, compact } = await startBatchSigner({ database })
      const paths = ['/api/jobs?stauts=Failed', '/api/events?tpye=X', '/api/jobs/export?x=1', '/api/jobs/archive?ids=1']
      for (const path of paths) {
        const name = /\?(\w+)/.exec(path)![1]!
        expect(await full.json('GET', path), path).toMatchObject({
          ...refused(400, 'validation.filter-invalid'),
          body: { errors: { [name]: [expect.any(String)] } },
        })
      }
      for (const path of ['/api/rescan?fodler=a', '/api/files?profil=a'])
        expect(await full.json('POST', path), path).toMatchObject(refused(400, 'validation.filter-invalid'))
      expect(await compact.json('GET', '/api/jobs?filename=a')).toMatchObject(refused(400, 'validation.filter-invalid'))
      const events = (query: string) => full.json('GET', `/api/events?${query}`)
      const { body } = await events('type=ServiceStarted&text=service')
      expect(body.items).toMatchObject([{ eventType: 'ServiceStarted' }])
      expect((await events('type=None')).body.totalCount).toBe(0)
      expect(await events('text=a&contains=b')).toMatchObject(refused(400, 'validation.filter-invalid'))
    })

    test('no route takes a name that it does not know: a filter on Clear Jobs deletes nothing', async () => {
      const { full, compact } = await startBatchSigner({ database })
      await full.json('POST', '/api/pipeline/pause')
      const { body } = await full.json('POST', '/api/files', form('a.txt'))
      const job = `/api/jobs/${body.jobId}`
      const actions = [
        '/api/cleanup',
        '/api/rescan',
        '/api/backup',
        '/api/pipeline/resume',
        `${job}/cancel`,
        `${job}/retry`,
      ]
      const named = { body: { errors: { dryRun: [expect.any(String)] } } }
      for (const path of actions) {
        const asked = await full.json('POST', `${path}?dryRun=true`)
        expect(asked, path).toMatchObject(refused(400, 'validation.filter-invalid'))
        const sent = await full.json('POST', path, json('{"dryRun":true}'))
        expect(sent, path).toMatchObject(refused(400, 'request.invalid'))
        expect([asked, sent], path).toMatchObject([named, named])
      }
      const unknown = refused(400, 'validation.filter-invalid')
      expect(await full.json('DELETE', '/api/jobs?status=Failed')).toMatchObject(unknown)
      for (const path of [
        '/api/cleanup/run?olderThan=90',
        '/api/input/rescan?folder=a',
        '/api/files?signatureFormat=Cades',
      ])
        expect(await compact.json('POST', path), path).toMatchObject(unknown)
      expect((await full.json('GET', job)).body.status).toBe('Queued')
      for (const init of [{}, json('{}'), json('')])
        expect(await full.json('POST', '/api/cleanup', init)).toMatchObject({ status: 200 })
      for (const path of ['/api/health?probe=1', '/api/ready?probe=1'])
        expect(await compact.json('GET', path), path).toMatchObject({ status: 200 })
    })

    test('bodies are refused with codes of their own', async () => {
      const { full, compact } = await startBatchSigner({ database })
      const pause = (body: string) => full.json('POST', '/api/pipeline/pause', json(body))
      expect(await pause('{"reason":5}')).toMatchObject(refused(400, 'request.invalid'))
      const large = JSON.stringify({ reason: 'x'.repeat(2 * 1024 * 1024) })
      expect(await pause(large)).toMatchObject(refused(413, 'request.too-large'))
      for (const surface of [full, compact])
        for (const init of [json('{}'), { body: 'text' }, { body: new Blob(['bytes']) }, {}])
          expect(await surface.json('POST', '/api/files', init)).toMatchObject(refused(400, 'upload.empty'))
    })

    test('a form with a field that nobody reads is refused by the name of the field, and nothing of it stays', async () => {
      const { full, compact, folder } = await startBatchSigner({ database })
      const upload = (surface: typeof full, fields: Record<string, string>) =>
        surface.json('POST', '/api/files', form('a.txt', 'content', fields))
      const wrong: readonly (readonly [typeof full, Record<string, string>])[] = [
        [full, { profile: 'other' }],
        [full, { encryptionEnabled: 'true' }],
        [compact, { encryptionEnable: 'true' }],
        [compact, { encryptionEnabled: 'talvez' }],
        [compact, { encryptionEnabled: 'true' }],
      ]
      for (const [surface, fields] of wrong)
        expect(await upload(surface, fields), JSON.stringify(fields)).toMatchObject({
          ...refused(400, 'request.invalid'),
          body: { errors: { [Object.keys(fields)[0]!]: [expect.any(String)] } },
        })
      expect(await readdir(join(folder, 'batch-signer', 'uploads'))).toEqual(['.chancela-folder'])
      expect((await full.json('GET', '/api/jobs')).body.totalCount).toBe(0)
      expect(await upload(full, { format: 'Cades' })).toMatchObject({ status: 202 })
    })

    test('the compact variant has no status 415: a body of another type is refused with 400', async () => {
      const { full, compact } = await startBatchSigner({ database })
      const xml = { body: '<a/>', headers: { 'content-type': 'application/xml' } }
      for (const path of ['/api/input/rescan', '/api/cleanup/run', '/api/jobs/x/retry'])
        expect(await compact.json('POST', path, xml), path).toMatchObject(refused(400, 'request.invalid'))
      expect(await full.json('POST', '/api/rescan', xml)).toMatchObject(refused(415, 'request.invalid'))
    })

    test('a reason with NUL is refused as what it is', async () => {
      const { full } = await startBatchSigner({ database })
      for (const path of ['/api/pipeline/pause', '/dashboard/api/folders/default/pause'])
        expect(await full.json('POST', path, json('{"reason":"a\\u0000b"}')), path).toMatchObject({
          ...refused(400, 'request.invalid'),
          body: { errors: { reason: [expect.any(String)] } },
        })
    })

    test('names of uploads are taken as they are or refused, never cut or cleaned', async () => {
      const { full, compact } = await startBatchSigner({ database })
      await full.json('POST', '/api/pipeline/pause')
      for (const surface of [full, compact])
        for (const name of [`${'n'.repeat(300)}.txt`, 'a:b.txt', 'con.txt', ' .. '])
          expect(await surface.json('POST', '/api/files', form(name)), name).toMatchObject({
            ...refused(400, 'upload.invalid-name'),
            body: { errors: { file: [expect.any(String)] } },
          })
      const name = `${'ç'.repeat(98)}.txt`
      expect(await full.json('POST', '/api/files', form(name))).toMatchObject({ status: 202, body: { fileName: name } })
    })

    test('where names may come again, a second upload of an active one is refused', async () => {
      const settings = { Pipeline: { RejectAlreadyProcessedFileNames: false } }
      const { full } = await startBatchSigner({ database, settings })
      await full.json('POST', '/api/pipeline/pause')
      const answers = await Promise.all(
        ['mesmo.txt', 'MESMO.txt', 'mesmo.TXT'].map((name) => full.json('POST', '/api/files', form(name))),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409])
      expect(await full.json('POST', '/api/files', form('mesmo.txt'))).toMatchObject(
        refused(409, 'job.already-processing'),
      )
    })

    test('the compact variant refuses names in the Processing folder, keeps any reference, and knows uploads by their retries', async () => {
      const world = await startBatchSigner({ database })
      const { compact, full, folder, output } = world
      const processing = join(folder, 'batch-signer', 'processing')
      await mkdir(processing, { recursive: true })
      await writeFile(join(processing, 'proc.txt'), 'foreign')
      expect(await compact.json('POST', '/api/files', form('proc.txt'))).toMatchObject(
        refused(409, 'job.already-processing'),
      )
      const externalReference = `pedido ${'ç'.repeat(3000)}`
      await mkdir(join(output, 'again.txt.p7m'), { recursive: true })
      const { body: uploaded } = await compact.json('POST', '/api/files', form('again.txt', 'x', { externalReference }))
      const failed = await ended(world, uploaded.jobId as string)
      expect(failed).toMatchObject({ status: 'Failed', source: 'RestApi', externalReference })
      await writeFile(join(processing, 'again.txt'), 'foreign')
      const retry = () => compact.json('POST', `/api/jobs/${uploaded.jobId}/retry`)
      expect(await retry()).toMatchObject(refused(409, 'job.already-processing'))
      await rm(join(processing, 'again.txt'))
      await full.json('POST', '/api/pipeline/pause')
      const { status, body } = await retry()
      expect(status).toBe(202)
      expect((await compact.json('GET', `/api/jobs/${body.jobId}`)).body.source).toBe('RestApi')
      const list = async (query: string) => (await compact.json('GET', `/api/jobs?${query}`)).body
      expect(await list('source=RestApi')).toMatchObject({ total: 2, items: [{}, {}] })
      expect(await list('source=RestApi&status=Pending')).toMatchObject({ total: 1, items: [{ id: body.jobId }] })
      expect(await list('source=WatchedFolder')).toMatchObject({ total: 0, items: [] })
      expect((await compact.json('GET', '/metrics')).body.jobsBySource).toEqual({ RestApi: 2 })
    })

    test('an output that retention removed is gone, and one that never was is unknown', async () => {
      let now = new Date()
      const world = await startBatchSigner({ database, clock: () => now })
      const { compact, full } = world
      const { body } = await compact.json('POST', '/api/files', form('old.txt'))
      expect(await ended(world, body.jobId as string)).toMatchObject({ status: 'Completed' })
      // A job whose input is still to be removed is not cleaned up.
      const disposal = async () => (await full.json('GET', `/api/jobs/${body.jobId}`)).body['inputDisposal']
      await expect.poll(disposal, { interval: 10 }).toBe('deleted')
      now = new Date(now.getTime() + 31 * DAY)
      expect((await compact.json('POST', '/api/cleanup/run')).body).toMatchObject({ jobsDeleted: 1 })
      const output = (id: unknown) => compact.json('GET', `/api/jobs/${id}/output`)
      expect(await output(body.jobId)).toMatchObject(refused(410, 'job.output-gone'))
      expect(await output('1f2e3d4c-5b6a-4798-8a9b-0c1d2e3f4a5b')).toMatchObject(refused(404, 'job.not-found'))
      expect(await full.json('GET', `/api/jobs/${body.jobId}`)).toMatchObject(refused(404, 'job.not-found'))
    })
  })

test('in production the jobs without output are named in errors, in development in the detail, too', async () => {
  for (const environment of ['production', 'development']) {
    const settings = { Environment: environment as never }
    const { full } = await startBatchSigner({ database: 'SQLite', settings })
    await full.json('POST', '/api/pipeline/pause')
    const { body: one } = await full.json('POST', '/api/files', form('a.txt'))
    const { status, body } = await full.json('GET', `/api/jobs/archive?id=${one.jobId}`)
    expect([status, body]).toMatchObject([
      409,
      { code: 'job.output-unavailable', errors: { id: [`${one.jobId}: Queued`] } },
    ])
    if (environment === 'production') expect(body).not.toHaveProperty('detail')
    else expect(body.detail).toContain(one.jobId)
  }
})

test('the probes of the compact variant answer when its clients have used up their calls', async () => {
  const settings = { RateLimiting: { Enabled: true, Compact: { PermitsPerWindow: 3, WindowSeconds: 60 } } }
  const { compact } = await startBatchSigner({ database: 'SQLite', settings })
  const statuses: number[] = []
  for (let call = 0; call < 5; call++) statuses.push((await compact.call('GET', '/api/jobs', { key: API_KEY })).status)
  expect(statuses).toEqual([200, 200, 200, 429, 429])
  for (let call = 0; call < 70; call++)
    expect((await compact.call('GET', '/api/health', { key: null })).status).toBe(200)
  expect((await compact.call('GET', '/api/ready', { key: null })).status).toBe(200)
})
