import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DAY } from '@chancela/service-kernel/clock'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { samplePdf } from '@chancela/testkit/samples'
import { openssl, runTool, temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { compactRoutes } from '../src/contract/compact.ts'
import { lyingIn } from './test-support/lying-in.ts'
import {
  API_KEY,
  databases,
  demoPki,
  type RunningBatchSigner,
  sharedBatchSigner,
  startBatchSigner,
} from './test-support/running-service.ts'

interface Job {
  readonly id: string
  readonly fileName: string
  readonly status: string
  readonly events: readonly { readonly createdAtUtc: string; readonly status: string }[]
}

interface Uploaded {
  readonly jobId: string
  readonly statusUrl: string
  readonly outputUrl: string
}

type Compact = RunningBatchSigner['compact']

const carla = demoHolders[2]!

/** A form with one file; the fields are sent after it. */
function formOf(fileName: string, content: Uint8Array | string, fields: Readonly<Record<string, string>> = {}) {
  const form = new FormData()
  form.append('file', new Blob([content as Uint8Array<ArrayBuffer>]), fileName)
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

async function uploaded(
  compact: Compact,
  fileName: string,
  content: Uint8Array | string,
  fields = {},
): Promise<string> {
  const { status, body } = await compact.json('POST', '/api/files', { body: formOf(fileName, content, fields) })
  expect({ status, body }).toMatchObject({ status: 202, body: { jobId: expect.any(String) } })
  return body.jobId as string
}

const jobOf = async (compact: Compact, jobId: string) =>
  (await compact.json('GET', `/api/jobs/${jobId}`)).body as never as Job

/** Waits until the job has ended; returns it. */
async function ended(compact: Compact, jobId: string): Promise<Job> {
  await expect.poll(async () => (await jobOf(compact, jobId)).status).toMatch(/Completed|Failed|Rejected|Canceled/)
  return jobOf(compact, jobId)
}

const encryption = { Encryption: { CertificateFiles: [`${carla.label}.pem`] } }

/** Not a PDF, despite its name: its signature fails. */
const brokenPdf = 'this is no PDF'

const refusal = (status: number, code: string) => ({ status, body: { status, code } })

for (const database of databases) {
  describe(`the compact variant on ${database}`, () => {
    const freshService = sharedBatchSigner({ database, settings: encryption })

    test('signs an upload: POST /api/files, GET /api/jobs/{jobId}, GET /api/jobs/{jobId}/output', async () => {
      const { compact } = await freshService()
      const content = 'contrato;1000,00\n'
      const form = formOf('contrato.csv', content, { signatureFormat: 'Auto', externalReference: 'pedido 7' })
      const answer = await compact.json<Uploaded>('POST', '/api/files', { body: form })
      const { jobId } = answer.body
      expect(answer).toMatchObject({
        status: 202,
        body: { statusUrl: `/api/jobs/${jobId}`, outputUrl: `/api/jobs/${jobId}/output` },
      })
      expect(Object.keys(answer.body)).toHaveLength(3)
      expect(answer.headers.get('location')).toBe(`/api/jobs/${jobId}`)

      const job = await ended(compact, jobId)
      expect(job).toMatchObject({
        id: jobId,
        fileName: 'contrato.csv',
        status: 'Completed',
        source: 'RestApi',
        signatureFormat: 'Cades',
        encryptionEnabled: false,
        externalReference: 'pedido 7',
        originalJobId: null,
        outputFileName: 'contrato.csv.p7m',
        errorCode: null,
        contentLength: content.length,
      })
      expect(job.events.map(({ status }) => status)).toStrictEqual(
        expect.arrayContaining(['Pending', 'Processing', 'Completed']),
      )
      const times = job.events.map(({ createdAtUtc }) => createdAtUtc)
      expect(times).toStrictEqual([...times].sort())

      expect(await jobOf(compact, jobId.toUpperCase())).toMatchObject({ id: jobId })
      const output = await compact.call('GET', answer.body.outputUrl)
      expect(output.status).toBe(200)
      expect(output.headers.get('content-disposition')).toContain('attachment; filename="contrato.csv.p7m"')
      expect(await verifiedByOpenssl(Buffer.from(await output.arrayBuffer()))).toBe(content)
    })

    test('takes its options after the file, as curl sends them, and encrypts to the configured certificate', async () => {
      const { compact } = await freshService()
      const jobId = await uploaded(compact, 'segredo.xml', '<a/>', {
        signatureFormat: 'Cades',
        encryptionEnabled: 'true',
      })
      expect(await ended(compact, jobId)).toMatchObject({
        status: 'Completed',
        signatureFormat: 'Cades',
        encryptionEnabled: true,
        outputFileName: 'segredo.xml.p7m.enc',
      })
      const output = await compact.call('GET', `/api/jobs/${jobId}/output`)
      expect(await verifiedByOpenssl(await decryptedByOpenssl(Buffer.from(await output.arrayBuffer())))).toBe('<a/>')
    })

    test.each([true, false])(
      'refuses a name that is being processed with 409, names signed once: %s',
      async (RejectAlreadyProcessedFileNames) => {
        const settings = { Pipeline: { RejectAlreadyProcessedFileNames } }
        const { compact, full } = await startBatchSigner({ database, settings })
        await full.json('POST', '/api/pipeline/pause')
        await uploaded(compact, 'a.csv', '1')
        const again = await compact.json('POST', '/api/files', { body: formOf('A.CSV', '2') })
        expect(again).toMatchObject(refusal(409, 'job.already-processing'))
      },
    )

    test('lists jobs, the newest first, cut by every filter', async () => {
      const { compact, full } = await freshService()
      await full.json('POST', '/api/pipeline/pause')
      const first = await uploaded(compact, 'Nota 1.pdf', samplePdf('1'), { externalReference: 'Lote A/1' })
      const second = await uploaded(compact, 'nota-2.xml', '<a/>', { encryptionEnabled: 'true' })
      const listed = async (query: string) => {
        const { status, body } = await compact.json('GET', `/api/jobs?${query}`)
        expect(status).toBe(200)
        return (body.items as readonly Job[]).map(({ id }) => id)
      }
      expect((await compact.json('GET', '/api/jobs?pageSize=1&page=2')).body).toMatchObject({
        total: 2,
        page: 2,
        pageSize: 1,
        items: [{ id: first, status: 'Pending', source: 'RestApi', fileName: 'Nota 1.pdf' }],
      })
      expect(await listed('')).toStrictEqual([second, first])
      expect(await listed('status=Pending&source=RestApi')).toStrictEqual([second, first])
      expect(await listed('status=Completed')).toStrictEqual([])
      expect(await listed('source=WatchedFolder')).toStrictEqual([])
      expect(await listed('signatureFormat=Xades')).toStrictEqual([second])
      expect(await listed('encryptionEnabled=true')).toStrictEqual([second])
      expect(await listed('encryptionEnabled=false')).toStrictEqual([first])
      expect(await listed('filenameContains=NOTA%201')).toStrictEqual([first])
      expect(await listed('externalReferenceContains=lote%20a/')).toStrictEqual([first])
      const { createdAtUtc } = (await compact.json('GET', `/api/jobs/${second}`)).body
      expect(await listed(`createdFromUtc=${createdAtUtc}`)).toStrictEqual([second])
      expect(await listed('createdToUtc=2020-01-01')).toStrictEqual([])
    })

    test('answers 404, 409 and 410 for an output that is not there', async () => {
      const { compact, full, output } = await freshService()
      const of = (jobId: string) => compact.json('GET', `/api/jobs/${jobId}/output`)
      expect(await of(randomUUID())).toMatchObject(refusal(404, 'job.not-found'))
      expect(await compact.json('GET', '/api/jobs/no-guid')).toMatchObject(refusal(404, 'job.not-found'))
      const done = await uploaded(compact, 'a.csv', '1')
      await ended(compact, done)
      await rm(join(output, 'a.csv.p7m'))
      expect(await of(done)).toMatchObject(refusal(410, 'job.output-gone'))
      await full.json('POST', '/api/pipeline/pause')
      expect(await of(await uploaded(compact, 'b.csv', '1'))).toMatchObject(refusal(409, 'job.output-unavailable'))
    })

    test('retries a Failed job whose file is still in the Error folder', async () => {
      const { compact, error } = await startBatchSigner({ database })
      const uploads = join(error, '..', 'uploads')
      const failed = await uploaded(compact, 'a.pdf', brokenPdf)
      expect(await ended(compact, failed)).toMatchObject({ status: 'Failed', errorCode: 'job.signing-failed' })
      const retry = (jobId: string) => compact.json<{ jobId: string }>('POST', `/api/jobs/${jobId}/retry`)

      const first = await retry(failed)
      expect(first).toMatchObject({ status: 202, body: { retryOf: failed } })
      expect(await ended(compact, first.body.jobId)).toMatchObject({ status: 'Failed', originalJobId: failed })

      // The input itself is gone: it is restored from the copy in the Error folder, which is repaired here.
      await rm(uploads, { recursive: true })
      await mkdir(uploads)
      await writeFile(join(error, failed, 'a.pdf'), samplePdf('repaired'))
      const second = await retry(failed)
      expect(second.status).toBe(202)
      expect(await ended(compact, second.body.jobId)).toMatchObject({ status: 'Completed', originalJobId: failed })

      expect(await retry(second.body.jobId)).toMatchObject(refusal(409, 'job.not-failed'))
      expect(await retry(randomUUID())).toMatchObject(refusal(404, 'job.not-found'))
      await rm(uploads, { recursive: true })
      expect(await retry(failed)).toMatchObject(refusal(409, 'job.input-missing'))
      await mkdir(uploads)
      await rm(join(error, failed), { recursive: true })
      expect(await retry(failed)).toMatchObject(refusal(409, 'job.input-missing'))
    })

    test('does not retry while a file of the same name is being processed', async () => {
      const { compact, full } = await freshService()
      const failed = await uploaded(compact, 'a.pdf', brokenPdf)
      await ended(compact, failed)
      await full.json('POST', '/api/pipeline/pause')
      await uploaded(compact, 'A.pdf', samplePdf('other'))
      const again = await compact.json('POST', `/api/jobs/${failed}/retry`)
      expect(again).toMatchObject(refusal(409, 'job.already-processing'))
    })

    test('calls a file that failed validation Rejected, counts it and does not retry it', async () => {
      const { compact, input } = await freshService()
      await ended(compact, await uploaded(compact, 'a.csv', '1'))
      await writeFile(join(input(), 'a.csv'), 'the same name again')
      const rejected = async () => (await compact.json('GET', '/api/jobs?status=Rejected')).body.items as readonly Job[]
      await expect.poll(async () => (await rejected()).length).toBe(1)
      const [job] = await rejected()
      expect(job).toMatchObject({ errorCode: 'file.already-processed', source: 'WatchedFolder', fileName: 'a.csv' })
      expect((await compact.json('GET', '/api/jobs?status=Failed')).body).toMatchObject({ total: 0 })
      expect(await compact.json('POST', `/api/jobs/${job!.id}/retry`)).toMatchObject(refusal(409, 'job.not-failed'))

      const { body } = await compact.json('GET', '/metrics')
      expect(body).toStrictEqual({
        totalJobs: 2,
        pendingJobs: 0,
        processingJobs: 0,
        completedJobs: 1,
        failedJobs: 0,
        rejectedJobs: 1,
        jobsBySource: { RestApi: 1, WatchedFolder: 1 },
        jobsBySignatureFormat: { Cades: 2 },
        averageProcessingMs: expect.any(Number),
        lastSuccessfulUtc: expect.stringMatching(/^\d{4}-.*Z$/),
        lastFailedUtc: expect.stringMatching(/^\d{4}-.*Z$/),
      })
    })

    test('rescans the input folders: POST /api/input/rescan', async () => {
      const { compact, folder, input } = await freshService()
      const failed = join(input(), 'a.pdf')
      await writeFile(join(folder, 'a.pdf'), brokenPdf)
      await rename(join(folder, 'a.pdf'), failed)
      const total = async () => (await compact.json('GET', '/api/jobs?status=Failed')).body.total as number
      await expect.poll(total).toBe(1)
      // Watchers ignore a failed file; a rescan offers it again.
      expect(await compact.json('POST', '/api/input/rescan')).toMatchObject({ status: 200, body: { enqueued: 1 } })
      await expect.poll(total).toBe(2)
    })

    test('cleans up what is older than the retention: POST /api/cleanup/run', async () => {
      let offset = 0
      const clock = () => new Date(Date.now() + offset)
      const { compact, output } = await startBatchSigner({
        database,
        clock,
        settings: { Retention: { RetentionDays: 30 } },
      })
      const kept = await uploaded(compact, 'a.csv', '1')
      await ended(compact, kept)
      const failed = await uploaded(compact, 'b.pdf', brokenPdf)
      await ended(compact, failed)
      const nothing = { jobsDeleted: 0, outputFilesDeleted: 0, errorFilesDeleted: 0, filesMissing: 0, errors: 0 }
      expect(await compact.json('POST', '/api/cleanup/run')).toMatchObject({ status: 200, body: nothing })
      offset = 31 * DAY
      const { body } = await compact.json('POST', '/api/cleanup/run')
      expect(body).toStrictEqual({
        jobsDeleted: 2,
        outputFilesDeleted: 1,
        errorFilesDeleted: 1,
        operationalEventsDeleted: expect.any(Number),
        filesMissing: 0,
        errors: 0,
      })
      expect(lyingIn(output)).toStrictEqual([])
      expect((await compact.json('GET', '/api/jobs')).body).toMatchObject({ total: 0 })
    })

    test('refuses a filter value it does not know, and never widens it', async () => {
      const { compact } = await freshService()
      const queries = [
        'page=0',
        'page=10737419',
        'page=one',
        'pageSize=0',
        'pageSize=201',
        'status=Queued',
        'status=',
        'status=Failed&status=Rejected',
        'source=Upload',
        'signatureFormat=Auto',
        'encryptionEnabled=yes',
        'filenameContains=',
        'externalReferenceContains=',
        'createdFromUtc=yesterday',
        'createdToUtc=2026-02-30',
        'createdFromUtc=2026-03-02&createdToUtc=2026-03-01',
      ]
      for (const query of queries)
        expect(await compact.json('GET', `/api/jobs?${query}`), query).toMatchObject(
          refusal(400, 'validation.filter-invalid'),
        )
      expect(await compact.json('GET', '/api/jobs?page=10737418&pageSize=200')).toMatchObject({
        status: 200,
        body: { total: 0, items: [] },
      })
    })

    test('works with curl alone, and so does the full surface', async () => {
      const { compact, full } = await freshService()
      const folder = temporaryFolder()
      const curl = async (...args: string[]) => {
        const always = ['-sS', '--fail-with-body', '-H', `X-API-Key: ${API_KEY}`]
        return (await promisify(execFile)('curl', [...always, ...args], { cwd: folder })).stdout
      }
      const download = async (url: string, name: string) => {
        await curl('-O', '-J', url)
        const { text } = await runTool('pdfsig', ['-nocert', name], { folder })
        expect(text).toContain('Signature is Valid')
      }
      await writeFile(join(folder, 'carta.pdf'), samplePdf('compact'))
      await writeFile(join(folder, 'anexo.pdf'), samplePdf('full'))

      const form = ['-F', 'file=@carta.pdf', '-F', 'signatureFormat=Pades', '-F', 'externalReference=via curl']
      const { jobId, statusUrl, outputUrl } = JSON.parse(await curl(...form, `${compact.baseUrl}/api/files`))
      await ended(compact, jobId)
      expect(JSON.parse(await curl(compact.baseUrl + statusUrl))).toMatchObject({
        status: 'Completed',
        externalReference: 'via curl',
      })
      await download(compact.baseUrl + outputUrl, 'carta.signed.pdf')

      const job = JSON.parse(await curl('-F', 'file=@anexo.pdf', `${full.baseUrl}/api/files?format=Pades`))
      expect(job).toMatchObject({ fileName: 'anexo.pdf', format: 'Pades', status: 'Queued' })
      await ended(compact, job.jobId)
      expect(JSON.parse(await curl(`${full.baseUrl}/api/jobs/${job.jobId}`))).toMatchObject({ status: 'Completed' })
      await download(`${full.baseUrl}/api/jobs/${job.jobId}/output`, 'anexo.signed.pdf')
    })
  })
}

// Refusals before the database is asked, and properties of the surface.
describe('the compact variant on SQLite', () => {
  const freshService = sharedBatchSigner({ database: 'SQLite' })

  test('refuses uploads that cannot be signed', async () => {
    const settings = { FileValidation: { MaxFileSizeMb: 1, AllowedExtensions: ['.pdf', 'csv'] } }
    const { compact, input } = await startBatchSigner({ database: 'SQLite', settings })
    const send = (body: FormData) => compact.json('POST', '/api/files', { body })
    const without = new FormData()
    without.append('signatureFormat', 'Auto')
    const two = formOf('a.csv', 'a')
    two.append('file', new Blob(['b']), 'b.csv')
    const unnamed = new FormData()
    unnamed.append('file', 'text without a file name')

    expect(await send(without)).toMatchObject(refusal(400, 'upload.empty'))
    expect(await send(formOf('a.csv', ''))).toMatchObject(refusal(400, 'upload.empty'))
    expect(await send(unnamed)).toMatchObject(refusal(400, 'upload.invalid-name'))
    expect(await send(formOf('..', 'a'))).toMatchObject(refusal(400, 'upload.invalid-name'))
    expect(await send(two)).toMatchObject(refusal(400, 'request.invalid'))
    expect(await send(formOf('a.exe', 'a'))).toMatchObject(refusal(400, 'upload.extension-unsupported'))
    expect(await send(formOf('a', 'a'))).toMatchObject(refusal(400, 'upload.extension-unsupported'))
    expect(await send(formOf('a.csv', 'a', { signatureFormat: 'Jades' }))).toMatchObject(
      refusal(400, 'upload.format-unsupported'),
    )
    expect(await send(formOf('a.csv', 'a', { encryptionEnabled: 'yes' }))).toMatchObject(
      refusal(400, 'request.invalid'),
    )
    // No encryption recipient is configured.
    expect(await send(formOf('a.csv', 'a', { encryptionEnabled: 'true' }))).toMatchObject(
      refusal(400, 'request.invalid'),
    )
    expect(await send(formOf('a.csv', Buffer.alloc(1_048_577)))).toMatchObject(refusal(413, 'upload.too-large'))
    expect(await send(formOf('just.csv', Buffer.alloc(1_048_576, 'a')))).toMatchObject({ status: 202 })
    expect((await compact.json('GET', '/api/jobs')).body).toMatchObject({ total: 1 })
    expect(lyingIn(input()).length).toBeLessThanOrEqual(1)
  })

  test('takes the key, and only the key, on every route but health and readiness', async () => {
    const { compact, full } = await freshService()
    const signIn = await full.call('POST', '/api/auth/login', {
      key: null,
      body: new URLSearchParams({ ApiKey: API_KEY }),
      redirect: 'manual',
    })
    const cookie = signIn.headers.get('set-cookie')!.split(';')[0]!
    for (const { method, path, ...route } of Object.values(compactRoutes)) {
      const url = path.replace('{jobId}', randomUUID())
      const isOpen = 'access' in route
      for (const init of [{ key: null }, { key: 'wrong' }, { key: null, headers: { cookie } }]) {
        const answer = await compact.json(method, url, init)
        if (isOpen) expect(answer.status, url).toBe(200)
        else expect(answer, url).toMatchObject(refusal(401, 'auth.invalid-credentials'))
      }
    }
  })

  test('answers 401 as long as no key is configured', async () => {
    const { compact } = await startBatchSigner({ database: 'SQLite', settings: { Auth: { ApiKey: '' } } })
    expect(await compact.json('GET', '/api/jobs')).toMatchObject(refusal(401, 'auth.misconfigured'))
  })

  test('serves the metrics to anybody when Metrics:RequireApiKey is false', async () => {
    const { compact } = await startBatchSigner({ database: 'SQLite', settings: { Metrics: { RequireApiKey: false } } })
    expect(await compact.json('GET', '/metrics', { key: null })).toMatchObject({
      status: 200,
      body: { totalJobs: 0 },
    })
  })

  test('allows 60 requests per minute and address, then answers 429 as ProblemDetails', async () => {
    const { compact } = await startBatchSigner({ database: 'SQLite', settings: { RateLimiting: { Enabled: true } } })
    const answers = await Promise.all(Array.from({ length: 60 }, () => compact.call('GET', '/metrics')))
    expect(new Set(answers.map(({ status }) => status))).toStrictEqual(new Set([200]))
    const over = await compact.json('GET', '/api/jobs')
    expect(over).toMatchObject(refusal(429, 'rate-limited'))
    expect(over.headers.get('content-type')).toContain('application/problem+json')
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('describes its ten endpoints at /openapi/v1.json', async () => {
    const { compact } = await freshService()
    const { body } = await compact.json<{ paths: Record<string, object> }>('GET', '/openapi/v1.json')
    const described = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const declared = Object.values(compactRoutes).map(({ method, path }) => `${method} ${path}`)
    expect(described.sort()).toStrictEqual(declared.sort())
    expect(declared).toHaveLength(10)
  })
})

/** The content of a signature, if `openssl cms -verify` accepts it up to the demo root. */
async function verifiedByOpenssl(cms: Uint8Array): Promise<string> {
  const folder = temporaryFolder()
  await writeFile(join(folder, 'roots.pem'), (await demoPki()).pki.trustAnchors())
  const args = ['cms', '-verify', '-binary', '-purpose', 'any', '-inform', 'DER', '-CAfile', 'roots.pem', '-out', 'out']
  const { ok, text } = await openssl(args, { input: cms, folder })
  expect(text).toContain('CMS Verification successful')
  expect(ok).toBe(true)
  return readFile(join(folder, 'out'), 'utf8')
}

async function decryptedByOpenssl(envelope: Uint8Array): Promise<Buffer> {
  const folder = temporaryFolder()
  const { x509, key } = (await demoPki()).pki.certificate(carla.label)
  await writeFile(join(folder, 'key.pem'), key.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  await writeFile(join(folder, 'certificate.pem'), x509.toString())
  const args = ['cms', '-decrypt', '-inform', 'DER', '-inkey', 'key.pem', '-recip', 'certificate.pem', '-out', 'out']
  const { ok, text } = await openssl(args, { input: envelope, folder })
  expect(ok, text).toBe(true)
  return readFile(join(folder, 'out'))
}
