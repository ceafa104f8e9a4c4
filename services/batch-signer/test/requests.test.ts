// What a request may say: names, values and bodies are honoured or refused by the code that means it.
import { describe, expect, test } from 'vitest'
import { API_KEY, databases, startBatchSigner } from './test-support/running-service.ts'

const form = (fileName: string, content = 'content', fields: Readonly<Record<string, string>> = {}) => {
  const body = new FormData()
  body.set('file', new Blob([content]), fileName)
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  return { body }
}

const refused = (status: number, code: string) => ({ status, body: { status, code } })

const json = (body: string) => ({ body, headers: { 'content-type': 'application/json' } })

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
