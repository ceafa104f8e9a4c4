import { execFile } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { testStores } from '@chancela/testkit/stores'
import { temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { cancelJob } from '../src/actions/cancel-job.ts'
import { retryJob } from '../src/actions/retry-job.ts'
import { storesOf } from '../src/test-support/as-new.ts'
import { completeNext, failNext, openBatchStore } from '../src/test-support/ledger-world.ts'
import { intakeWorld } from '../src/workers/intake/test-support/intake-world.ts'

const SOON = { interval: 20 }

type World = Awaited<ReturnType<typeof intakeWorld>>

const formWith = (content: Blob | undefined, fileName?: string, fields: Readonly<Record<string, string>> = {}) => {
  const form = new FormData()
  if (content) form.set('file', content, fileName)
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

async function post({ listen }: Pick<World, 'listen'>, query: string, body: FormData) {
  const { url, headers } = await listen()
  const answer = await fetch(`${url}/api/files${query}`, { method: 'POST', headers, body })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

const text = (content = 'content') => new Blob([content])

for (const [name, openNew] of Object.entries(testStores)) {
  const openStore = storesOf(openNew)

  describe(`uploads on ${name}`, () => {
    const world = async (options: Partial<Parameters<typeof intakeWorld>[0]> = {}) =>
      intakeWorld({ ...options, store: options.store ?? (await openBatchStore(openStore)) })

    test('a file becomes a queued job and lies under a minted name in a folder that nobody watches', async () => {
      const first = await world({ inputs: ['default', 'second'] })
      const bytes = randomBytes(300_000)
      const { status, body } = await post(first, '', formWith(new Blob([bytes]), '../Relatório 1.PDF'))
      expect([status, body]).toEqual([
        202,
        {
          jobId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/),
          fileName: 'Relatório 1.PDF',
          originalPath: first.uploaded(`${body.jobId}.PDF`),
          format: 'Pades',
          status: 'Queued',
        },
      ])
      expect(await readFile(body.originalPath as string)).toEqual(bytes)
      expect([await first.uploads(), await first.left()]).toEqual([[`${body.jobId}.PDF`], []])
      const [job] = await first.jobs()
      expect(job).toMatchObject({
        id: body.jobId,
        source: 'Upload',
        input_folder: null,
        profile_name: 'default',
        external_reference: null,
        encryption_requested: null,
      })
      const history = await first.context.store.db.selectFrom('job_history').selectAll().execute()
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      expect(history).toEqual([
        expect.objectContaining({ status: 'Queued', message: `Uploaded: 300000 bytes, SHA-256 ${sha256}.` }),
      ])
    })

    test('curl is answered as well', async () => {
      const first = await world()
      const { url, headers } = await first.listen()
      const file = join(temporaryFolder(), 'curl.bin')
      await writeFile(file, 'content')
      const key = `X-API-Key: ${headers['x-api-key']}`
      const form = ['-F', `file=@${file}`, '-F', 'format=Cades']
      const { stdout } = await promisify(execFile)('curl', ['-s', '-H', key, ...form, `${url}/api/files`])
      expect(JSON.parse(stdout)).toMatchObject({ fileName: 'curl.bin', format: 'Cades', status: 'Queued' })
    })

    test('the format comes from the query, else the form, else the profile, else the extension', async () => {
      const first = await world()
      const cases = [
        ['?format=xades', {}, null, 'Xades'],
        ['?format=Cades', { format: 'Pades' }, 'Xades', 'Cades'],
        ['?', { format: 'Cades' }, 'Xades', 'Cades'],
        ['?', {}, 'Xades', 'Xades'],
        ['?format=', {}, null, 'Pades'],
        ['?format=Pades', {}, 'Cades', 'Pades'],
      ] as const
      for (const [index, [query, fields, profileFormat, format]] of cases.entries()) {
        first.profiles.put({ name: 'other', format: profileFormat })
        const { body } = await post(first, `${query}&profile=OTHER`, formWith(text(), `${index}.pdf`, fields))
        expect(body, `case ${index}`).toMatchObject({ format })
        const job = (await first.jobs()).find(({ id }) => id === body.jobId)
        expect(job).toMatchObject({ profile_name: 'other', format })
      }
    })

    test('PAdES on something that is no PDF is not refused here', async () => {
      const first = await world()
      expect((await post(first, '?format=Pades', formWith(text(), 'a.txt'))).status).toBe(202)
    })

    test('an upload of an older version, which lies in a watched folder, is never taken for a file of it', async () => {
      const first = await world()
      const { call, context, intake, drop, names, jobs, input } = first
      await post(first, '', formWith(text(), 'failed.pdf'))
      await failNext(context.ledger, new Date())
      await post(first, '', formWith(text(), 'rewritten.pdf'))
      await context.ledger.inputSettled(await completeNext(context.ledger, new Date()), 'diverged', new Date())
      for (const { id, original_path } of await jobs()) {
        await rename(original_path!, input(basename(original_path!)))
        const moved = { original_path: input(basename(original_path!)) }
        await context.store.db.updateTable('job').set(moved).where('id', '=', id).execute()
      }
      expect((await call('POST', '/api/rescan')).body.totals).toMatchObject({ scanned: 2, ignored: 2, enqueued: 0 })
      intake.start()
      for (const { original_path } of await jobs()) intake.offer(original_path!)
      await drop('marker.pdf')
      await expect.poll(names, SOON).toContain('marker.pdf Queued')
      expect(await names()).toHaveLength(3)
    })

    test('a canceled upload is removed, in so many words, unless a failed job can still be retried with it', async () => {
      const first = await world()
      const { context } = first
      const { jobId } = (await post(first, '', formWith(text(), 'a.pdf'))).body as { jobId: string }
      await cancelJob(context, first, jobId, 'sent twice', new Date())
      expect(await first.uploads()).toEqual([])
      const history = await context.store.db.selectFrom('job_history').select('message').execute()
      expect(history.at(-1)?.message).toBe(
        'Operator canceled: sent twice. The uploaded file was removed; upload it again to have it signed.',
      )
      await post(first, '', formWith(text(), 'b.pdf'))
      const failed = await failNext(context.ledger, new Date())
      const { newJobId } = await retryJob(context, first.profiles.directory, failed, new Date())
      await cancelJob(context, first, newJobId, null, new Date())
      expect(await first.uploads()).toEqual([`${failed}.pdf`])
    })

    test('a name that an active or completed job carries is refused and nothing is stored', async () => {
      const first = await world()
      await post(first, '', formWith(text(), 'once.pdf'))
      const before = await first.left()
      const active = await post(first, '', formWith(text('other'), 'ONCE.pdf'))
      expect(active).toMatchObject({ status: 409, body: { code: 'file.already-processed' } })
      await completeNext(first.context.ledger, new Date())
      const completed = await post(first, '', formWith(text('other'), 'once.PDF'))
      expect(completed).toMatchObject({ status: 409, body: { code: 'file.already-processed' } })
      expect(JSON.stringify(completed.body)).toContain((await first.jobs())[0]!.id)
      expect([await first.left(), await first.names()]).toEqual([before, ['once.pdf Completed']])
    })

    test('refusals come in the order of the specification, and leave nothing', async () => {
      const first = await world({ upload: { MaxBytes: 1024 } })
      first.profiles.put({ name: 'closed', enabled: false })
      first.profiles.put({ name: 'documents', method: 'SignerFolder' })
      const refusals = [
        ['profile.not-found', 400, '?profile=none&format=Word', formWith(undefined)],
        ['profile.disabled', 409, '?profile=closed&format=Word', formWith(undefined)],
        ['profile.takes-no-files', 409, '?profile=documents&format=Word', formWith(undefined)],
        ['upload.format-unsupported', 400, '?format=Word', formWith(undefined)],
        ['upload.format-unsupported', 400, '', formWith(text(), 'a.pdf', { format: 'Word' })],
        ['upload.invalid-name', 400, '', formWith(text(''), ' .. ')],
        ['upload.empty', 400, '', formWith(undefined, undefined, { format: 'Cades' })],
        ['upload.empty', 400, '', formWith(text(''), 'a.pdf')],
        ['upload.too-large', 413, '', formWith(text('x'.repeat(1025)), 'a.pdf')],
      ] as const
      for (const [code, status, query, form] of refusals)
        expect(await post(first, query, form), code).toMatchObject({ status, body: { code, status } })
      expect([await first.left(), await first.jobs()]).toEqual([[], []])
    })

    test('switched off, uploads are refused before the profile is looked for', async () => {
      const first = await world({ upload: { Enabled: false } })
      const refused = await post(first, '?profile=none', formWith(undefined))
      expect(refused).toMatchObject({ status: 409, body: { code: 'upload.disabled' } })
    })

    test('a file part without a filename header is refused', async () => {
      const first = await world()
      const form = new FormData()
      form.set('file', 'just text')
      expect(await post(first, '', form)).toMatchObject({ status: 400, body: { code: 'upload.invalid-name' } })
    })

    test('a path of 851 characters is refused', async () => {
      const deep = join(temporaryFolder(), ...Array.from({ length: 3 }, () => 'd'.repeat(200)))
      // A folder in which the landed name without its extension makes a path of 840 characters.
      const missing = 840 - join(deep, 'x', 'batch-signer', 'uploads', randomUUID()).length + 1
      const first = await world({ dataFolder: join(deep, 'e'.repeat(missing)) })
      expect(first.uploaded(randomUUID())).toHaveLength(840)
      const [fits, exceeds] = [9, 10].map((letters) => `a.${'e'.repeat(letters)}`)
      const refused = await post(first, '', formWith(text(), exceeds))
      expect(refused).toMatchObject({ status: 400, body: { code: 'job.path-too-long' } })
      expect(await first.uploads()).toEqual([])
      const { status, body } = await post(first, '', formWith(text(), fits))
      expect([status, (body.originalPath as string).length]).toEqual([202, 850])
    })

    test('a client that goes away in the middle leaves nothing', async () => {
      const first = await world()
      const { url, headers } = await first.listen()
      const type = { 'content-type': 'multipart/form-data; boundary=b' }
      const sending = httpRequest(`${url}/api/files`, { method: 'POST', headers: { ...headers, ...type } })
      sending.on('error', () => {})
      sending.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n')
      sending.write('x'.repeat(200_000))
      await expect.poll(first.uploads, SOON).toHaveLength(1)
      sending.destroy()
      await expect.poll(first.uploads, SOON).toEqual([])
      expect(await first.jobs()).toEqual([])
    })

    test('a form that breaks off after its file leaves nothing', async () => {
      const first = await world()
      const answer = await first.app.inject({
        method: 'POST',
        url: '/api/files',
        headers: { ...(await first.listen()).headers, 'content-type': 'multipart/form-data; boundary=b' },
        payload: '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\nx\r\n--b\r\n',
      })
      expect([answer.statusCode, await first.uploads(), await first.jobs()]).toEqual([400, [], []])
    })

    test('a folder that is gone is the house’s trouble, not the caller’s', async () => {
      const first = await world()
      await rm(join(first.uploaded('x'), '..'), { recursive: true })
      expect(await post(first, '', formWith(text(), 'a.pdf'))).toMatchObject({
        status: 503,
        body: { code: 'service.busy' },
      })
    })

    test('a start finishes what a stop interrupted: uploads with a job get their name, others are removed', async () => {
      const store = await openBatchStore(openStore)
      const first = await world({ store })
      const prefix = '.chancela-upload-'
      const { jobId } = (await post(first, '', formWith(text('landed'), 'landed.pdf'))).body as { jobId: string }
      const renamed = (await post(first, '', formWith(text('renamed'), 'renamed.pdf'))).body as { jobId: string }
      const folder = first.uploaded('')
      // As a crash leaves them: before the marker was removed, and without links.
      await writeFile(join(folder, `${prefix}${jobId}.pdf`), 'landed')
      await rm(join(folder, `${renamed.jobId}.pdf`))
      await writeFile(join(folder, `${prefix}${renamed.jobId}.pdf`), 'renamed')
      // Without a job: half-written, and complete.
      const [half, whole] = [randomUUID(), randomUUID()]
      await writeFile(join(folder, `${prefix}${half}.pdf`), 'ha')
      await writeFile(join(folder, `${prefix}${whole}.pdf`), 'whole')
      await writeFile(join(folder, `${whole}.pdf`), 'whole')
      await writeFile(join(folder, `${prefix}not-ours.pdf`), 'x')
      const second = await world({ store, dataFolder: first.dataFolder })
      expect(await second.uploads()).toEqual([`${jobId}.pdf`, `${renamed.jobId}.pdf`, `${prefix}not-ours.pdf`].sort())
      expect(await readFile(join(folder, `${renamed.jobId}.pdf`), 'utf8')).toBe('renamed')
    })
  })
}

test('an upload is never whole in memory', async () => {
  const store = await openBatchStore(testStores.SQLite)
  const first = await intakeWorld({ store, upload: { MaxBytes: 2 ** 31 } })
  const { url, headers } = await first.listen()
  const type = { 'content-type': 'multipart/form-data; boundary=b' }
  const chunk = Buffer.alloc(1_000_000, 'x')
  const sending = httpRequest(`${url}/api/files`, { method: 'POST', headers: { ...headers, ...type } })
  const answered = new Promise<number>((resolve) => sending.on('response', ({ statusCode }) => resolve(statusCode!)))
  sending.write('--b\r\nContent-Disposition: form-data; name="file"; filename="big.bin"\r\n\r\n')
  const before = process.memoryUsage().rss
  let most = 0
  for (let piece = 0; piece < 300; piece += 1) {
    if (!sending.write(chunk)) await new Promise((resolve) => sending.once('drain', resolve))
    most = Math.max(most, process.memoryUsage().rss)
  }
  sending.end('\r\n--b--\r\n')
  expect(await answered).toBe(202)
  expect(most - before).toBeLessThan(200_000_000)
})
