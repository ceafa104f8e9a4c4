import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { HOUR } from '@chancela/service-kernel/clock'
import { describe, expect, test } from 'vitest'
import {
  databases,
  type PlatformWorld,
  sharedPlatform,
  startPlatform,
  testOnce,
} from './test-support/platform-world.ts'

const MIB = 1024 * 1024

/** The digests of the files in the storage. */
async function storedBlobs({ dataFolder }: PlatformWorld): Promise<readonly string[]> {
  const entries = await readdir(dataFolder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile() && /^[0-9a-f]{64}$/.test(entry.name)).map(({ name }) => name)
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('base64')

async function send(world: PlatformWorld, path: string, form: FormData, headers: Record<string, string> = {}) {
  const answer = await world.call('POST', path, { body: form, headers })
  return { status: answer.status, body: JSON.parse(await answer.text()) }
}

const uploadsOf = ({ store, organization }: PlatformWorld) =>
  store.db.selectFrom('upload').selectAll().where('organization_id', '=', organization.id).execute()

const uploadRow = (world: PlatformWorld, id: string) =>
  world.store.db.selectFrom('upload').selectAll().where('id', '=', id).executeTakeFirst()

for (const database of databases) {
  describe(`uploads on ${database}`, () => {
    const platform = sharedPlatform(database)
    const once = testOnce(database)

    test('bytes in base64 answer their id, size and MD5', async () => {
      const world = await platform()
      const bytes = randomBytes(5000)
      const { status, body } = await world.json('POST', '/api/uploads/bytes', { bytes: bytes.toString('base64') })
      expect(status).toBe(200)
      expect(body).toEqual({ id: expect.any(String), size: 5000, digest: md5(bytes) })
      expect(await uploadRow(world, body.id)).toMatchObject({ digest: sha256(bytes), md5: md5(bytes), size: 5000 })
      expect(await storedBlobs(world)).toContain(sha256(bytes))
    })

    once('base64 comes in pieces, under a name in any case, with line breaks and without padding', async () => {
      const world = await platform()
      const bytes = randomBytes(3_000_001)
      const text = bytes.toString('base64').replace(/=+$/, '').replaceAll(/.{76}/g, '$&\\r\\n')
      const { status, body } = await world
        .call('POST', '/api/uploads/bytes', {
          body: `{ "other": 1, "Bytes": "${text}" }`,
          headers: { 'content-type': 'application/json; charset=utf-8' },
        })
        .then(async (answer) => ({ status: answer.status, body: JSON.parse(await answer.text()) }))
      expect({ status, body }).toMatchObject({ status: 200, body: { size: bytes.length, digest: md5(bytes) } })
      for (const wrong of ['{}', '{"bytes":""}', '{"bytes":null}', '{"bytes":"****"}', '["YQ=="]', '{"bytes":"YQ=='])
        expect(
          await world.call('POST', '/api/uploads/bytes', { body: wrong, headers: { 'content-type': 'text/json' } }),
        ).toMatchObject({ status: 400 })
    })

    test('the file is the first part with a file name, or the one called content or file', async () => {
      const world = await platform()
      const bytes = randomBytes(300_000)
      const file = new Blob([bytes], { type: 'application/pdf' })
      const forms: Record<string, [FormData, object]> = {}
      const named = new FormData()
      named.set('content', file, 'C:\\contratos\\a.pdf')
      named.set('name', 'contrato.pdf')
      named.set('contentType', 'application/pdf')
      forms.content = [named, { name: 'contrato.pdf', contentType: 'application/pdf' }]
      const own = new FormData()
      own.set('relatório.pdf', file, 'relatório.pdf')
      forms.own = [own, { name: 'relatório.pdf', contentType: 'application/pdf' }]
      const plain = new FormData()
      plain.set('file', file, 'C:\\pasta\\b.pdf')
      forms.plain = [plain, { name: 'b.pdf', contentType: 'application/pdf' }]
      for (const [form, expected] of Object.values(forms)) {
        const { status, body } = await send(world, '/api/uploads', form)
        expect(status).toBe(200)
        expect(body).toEqual({ id: expect.any(String), location: expect.stringMatching(/^\/api\//), ...expected })
        expect(await uploadRow(world, body.id)).toMatchObject({ digest: sha256(bytes), size: bytes.length })
      }
    })

    once('the part content is a file even without a file name', async () => {
      const world = await platform()
      const body = [
        '--b',
        'Content-Disposition: form-data; name="content"',
        '',
        'abc',
        '--b',
        'Content-Disposition: form-data; name="name"',
        '',
        'nota.txt',
        '--b--',
        '',
      ].join('\r\n')
      const answer = await world.call('POST', '/api/uploads', {
        body,
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
      })
      expect(await answer.json()).toMatchObject({ name: 'nota.txt', contentType: 'application/octet-stream' })
    })

    once('what carries no file is refused', async () => {
      const world = await platform()
      const none = new FormData()
      none.set('name', 'a.pdf')
      expect(await send(world, '/api/uploads', none)).toMatchObject({ status: 422, body: { code: 'UploadEmpty' } })
      const empty = new FormData()
      empty.set('file', new Blob([]), 'a.pdf')
      expect(await send(world, '/api/uploads', empty)).toMatchObject({ status: 422, body: { code: 'UploadEmpty' } })
      const two = new FormData()
      two.set('a', new Blob(['x']), 'a.pdf')
      two.set('b', new Blob(['y']), 'b.pdf')
      expect(await send(world, '/api/uploads', two)).toMatchObject({ status: 400, body: { code: 'InvalidRequest' } })
      const wrong = await world.json('POST', '/api/uploads/bytes', { bytes: 'no base64!' })
      expect(wrong).toMatchObject({ status: 400, body: { code: 'InvalidRequest' } })
      expect(await uploadsOf(world)).toEqual([])
    })

    once('a byte more than 100 MB is refused, and nothing of it is stored', async () => {
      const world = await platform()
      const before = await storedBlobs(world)
      const form = new FormData()
      form.set('file', new Blob([Buffer.alloc(106_954_753)]), 'grande.bin')
      expect(await send(world, '/api/uploads', form)).toMatchObject({
        status: 422,
        body: { code: 'UploadTooLarge', details: { limit: '106954752' } },
      })
      expect(await storedBlobs(world)).toEqual(before)
      expect(await uploadsOf(world)).toEqual([])
    })

    once('the limit of MaxUploadSizeInBytes holds for every way in', async () => {
      const world = await startPlatform(database, { settings: { Documents: { MaxUploadSizeInBytes: 100_000 } } })
      const tooLarge = { status: 422, body: { code: 'UploadTooLarge' } }
      const bytes = Buffer.alloc(100_001).toString('base64')
      expect(await world.json('POST', '/api/uploads/bytes', { bytes })).toMatchObject(tooLarge)
      const huge = Buffer.alloc(5_000_000).toString('base64')
      const answer = await world.json('POST', '/api/uploads/bytes', { bytes: huge })
      expect(answer).toMatchObject({ status: 413, body: { code: 'UploadTooLarge' } })
      const exact = Buffer.alloc(100_000).toString('base64')
      expect((await world.json('POST', '/api/uploads/bytes', { bytes: exact })).status).toBe(200)
      const ticket = (await world.json('POST', '/api/uploads/segmented-upload-ticket/')).body
      expect(await segment(world, ticket, Buffer.alloc(10), 0, 100_001)).toMatchObject(tooLarge)
    })

    once('an upload without a key is refused', async () => {
      const world = await platform()
      const answer = await fetch(`${world.baseUrl}/api/uploads/bytes`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ bytes: 'YQ==' }),
      })
      expect(answer.status).toBe(401)
    })
  })

  describe(`uploads in segments on ${database}`, () => {
    const platform = sharedPlatform(database)

    test('the last segment answers the file, those before how much is there', async () => {
      const world = await platform()
      const bytes = randomBytes(5 * MIB)
      const ticket = (await world.json('POST', '/api/uploads/segmented-upload-ticket/')).body
      expect(ticket).toEqual(expect.any(String))
      const pieces = [0, 2 * MIB, 4 * MIB].map((from) => ({ from, bytes: bytes.subarray(from, from + 2 * MIB) }))
      const answers = []
      for (const { from, bytes } of pieces) answers.push(await segment(world, ticket, bytes, from, 5 * MIB))
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 200])
      expect(answers[1]!.body).toEqual({ received: 4 * MIB, total: 5 * MIB })
      expect(answers[2]!.body).toMatchObject({ name: 'grande.pdf', contentType: 'application/pdf' })
      expect(await uploadRow(world, answers[2]!.body.id)).toMatchObject({ digest: sha256(bytes), size: 5 * MIB })
    })

    test('a segment sent twice is fine, also the last one', async () => {
      const world = await platform()
      const bytes = randomBytes(3000)
      const ticket = (await world.json('POST', '/api/uploads/segmented-upload-ticket/')).body
      const first = () => segment(world, ticket, bytes.subarray(0, 2000), 0, 3000)
      const last = () => segment(world, ticket, bytes.subarray(2000), 2000, 3000)
      expect(await first()).toEqual({ status: 202, body: { received: 2000, total: 3000 } })
      expect(await first()).toEqual({ status: 202, body: { received: 2000, total: 3000 } })
      const made = await last()
      expect(await last()).toMatchObject({ status: 200, body: { id: made.body.id } })
      expect(await uploadsOf(world)).toMatchObject([{ id: made.body.id, digest: sha256(bytes) }])
    })

    test('a segment out of order, or not as its range says, is refused', async () => {
      const world = await platform()
      const bytes = randomBytes(3000)
      const ticket = (await world.json('POST', '/api/uploads/segmented-upload-ticket/')).body
      const invalid = { status: 422, body: { code: 'UploadRangeInvalid' } }
      expect(await segment(world, ticket, bytes.subarray(1000, 2000), 1000, 3000)).toMatchObject(invalid)
      expect(await segment(world, ticket, bytes.subarray(0, 1000), 0, 3000)).toMatchObject({ status: 202 })
      expect(await segment(world, ticket, bytes.subarray(2000), 2000, 3000)).toMatchObject(invalid)
      expect(await segment(world, ticket, bytes.subarray(500, 1500), 500, 3000)).toMatchObject(invalid)
      expect(await segment(world, ticket, bytes.subarray(1000, 2000), 1000, 4000)).toMatchObject(invalid)
      for (const range of ['bytes 1000-1998/3000', 'bytes 1000-2000/3000', 'bytes 1000-999/3000', 'bytes */3000', ''])
        expect(await segment(world, ticket, bytes.subarray(1000, 2000), 0, 0, range)).toMatchObject(invalid)
      expect(await segment(world, ticket, bytes.subarray(1000, 3000), 1000, 3000)).toMatchObject({ status: 200 })
    })

    test('of two that send the next segment at once, one is taken', async () => {
      const world = await platform()
      const ticket = (await world.json('POST', '/api/uploads/segmented-upload-ticket/')).body
      const bytes = randomBytes(1000)
      await Promise.all([1, 2, 3, 4].map(() => segment(world, ticket, bytes, 0, 2000)))
      const row = await world.store.db
        .selectFrom('segmented_upload')
        .selectAll()
        .where('id', '=', ticket)
        .executeTakeFirst()
      expect(row).toMatchObject({ received: 1000, total: 2000, segments: JSON.stringify([sha256(bytes)]) })
    })

    test('a ticket is for its organization, for as long as uploads are kept', async () => {
      const world = await platform()
      const ticket = (await world.json('POST', '/api/uploads/segmented-upload-ticket/')).body
      const { organization: other } = await platform()
      const unknown = { status: 422, body: { code: 'UploadTicketInvalidOrExpired' } }
      const bytes = Buffer.from('abc')
      const headers = { 'X-Api-Key': other.apiKey }
      expect(await segment(world, ticket, bytes, 0, 6, undefined, headers)).toMatchObject(unknown)
      expect(await segment(world, 'nothing', bytes, 0, 6)).toMatchObject(unknown)
      world.clock.advance(24 * HOUR)
      expect(await segment(world, ticket, bytes, 0, 6)).toMatchObject(unknown)
    })
  })
}

/** Sends a segment as clients do: a form with the range in a header. */
function segment(
  world: PlatformWorld,
  ticket: string,
  bytes: Uint8Array,
  from: number,
  total: number,
  range = `bytes ${from}-${from + bytes.length - 1}/${total}`,
  headers: Record<string, string> = {},
) {
  const form = new FormData()
  form.set('content', new Blob([new Uint8Array(bytes)]), 'blob')
  form.set('name', 'grande.pdf')
  form.set('contentType', 'application/pdf')
  return send(world, `/api/uploads?ticket=${ticket}`, form, { 'Content-Range': range, ...headers })
}
