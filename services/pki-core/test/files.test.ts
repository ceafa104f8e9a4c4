import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { DAY } from '@chancela/service-kernel/clock'
import { notify } from '@chancela/service-kernel/store'
import { LOOK_NOW } from '@chancela/service-kernel/workers'
import { readAnswer } from '@chancela/testkit/service-world'
import { describe, expect, test, vi } from 'vitest'
import { type CoreWorld, clientAt, databases, sharedCore, testOnce } from './test-support/core-world.ts'
import { clock } from './test-support/pki.ts'

type Client = Pick<CoreWorld, 'call' | 'json'>

const md5 = (bytes: Uint8Array, form: 'hex' | 'base64' = 'hex'): string => createHash('md5').update(bytes).digest(form)

async function upload({ call }: Client, bytes: Uint8Array, headers: Record<string, string> = {}, query = '') {
  return readAnswer(await call('POST', `/api/plain-uploads${query}`, { body: Buffer.from(bytes), headers }))
}

const begin = async ({ json }: Client) => (await json('POST', '/Api/MultipartUploads')).body

const part = async ({ call }: Client, token: string, number: number | string, bytes: Uint8Array, headers = {}) =>
  readAnswer(await call('POST', `/Api/MultipartUploads/${token}/${number}`, { body: Buffer.from(bytes), headers }))

const end = ({ json }: Client, token: string, body: object) => json('POST', `/Api/MultipartUploads/${token}`, body)

const bytesAt = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(url, { headers, redirect: 'error' })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

for (const database of databases) {
  describe(`files on ${database}`, () => {
    const open = sharedCore(database, { Files: { MaxFileBytes: 2_000_000, PartBytes: 65_536 } })
    const once = testOnce(database)

    test('plain bytes become a file with a token and a link that needs no key', async () => {
      const world = open()
      const bytes = randomBytes(5000)
      const { status, body } = await upload(world, bytes, { 'content-type': 'application/pdf' }, '?name=C:\\a\\b.pdf')
      expect(status).toBe(200)
      expect(body).toMatchObject({ mimeType: 'application/pdf', name: 'b.pdf', length: 5000, content: null })
      expect(body).toMatchObject({ contentType: body.mimeType, location: body.url })
      expect(body.blobToken).toMatch(/^[\w-]{43}$/)
      expect(body.url.startsWith(world.baseUrl.replace(/\/$/, ''))).toBe(true)
      const whole = await bytesAt(body.url)
      expect(whole.bytes.equals(bytes)).toBe(true)
      expect(whole.headers.get('content-disposition')).toContain('b.pdf')
    })

    once('a link gives a part of the file, and nothing to whoever has it already', async () => {
      const { body } = await upload(open(), Buffer.from('0123456789'))
      const range = (asked: string, more = {}) => bytesAt(body.url, { range: asked, ...more })
      expect(await range('bytes=2-4')).toMatchObject({ status: 206, bytes: Buffer.from('234') })
      expect((await range('bytes=-3')).bytes.toString()).toBe('789')
      expect((await range('bytes=7-')).headers.get('content-range')).toBe('bytes 7-9/10')
      expect((await range('bytes=10-')).status).toBe(416)
      expect((await range('bytes=2-4', { 'if-range': '"other"' })).status).toBe(200)
      const etag = (await bytesAt(body.url)).headers.get('etag')!
      expect((await bytesAt(body.url, { 'if-none-match': etag })).status).toBe(304)
    })

    once('nothing, too much, a wrong digest and a form are refused by name', async () => {
      const world = open()
      const empty = await world.json('POST', '/api/plain-uploads', undefined, { 'content-type': 'application/json' })
      expect(empty).toMatchObject({ status: 422, body: { code: 'UploadEmpty' } })
      expect(await upload(world, randomBytes(2_000_001))).toMatchObject({ status: 422, body: { code: 'FileTooLarge' } })
      expect(await upload(world, randomBytes(9), { 'content-md5': md5(Buffer.from('x'), 'base64') })).toMatchObject({
        status: 422,
        body: { code: 'BadDigest' },
      })
      const form = await upload(world, randomBytes(9), { 'content-type': 'multipart/form-data; boundary=x' })
      expect(form.status).toBe(415)
    })

    test('parts in any order, one of them sent again, are joined in the order of their numbers', async () => {
      const world = open()
      const { blobToken, partSize } = await begin(world)
      expect(partSize).toBe(65_536)
      const [one, two] = [randomBytes(partSize), randomBytes(1000)]
      const late = await part(world, blobToken, 1, two, { 'content-type': 'application/x-www-form-urlencoded' })
      await part(world, blobToken, 0, randomBytes(10))
      const first = await part(world, blobToken, 0, one, { 'content-md5': md5(one, 'base64') })
      const partETags = [first, late].map(({ headers }) => headers.get('etag')!)
      expect(partETags).toEqual([`"${md5(one)}"`, `"${md5(two)}"`])
      const whole = Buffer.concat([one, two])
      const request = { partETags, completeMD5: md5(whole, 'base64') }
      const answers = await Promise.all([end(world, blobToken, request), end(world, blobToken, request)])
      for (const { status, body } of answers) {
        expect(status).toBe(200)
        expect((await bytesAt(body.url)).bytes.equals(whole)).toBe(true)
      }
      expect(await part(world, blobToken, 2, two)).toMatchObject({ status: 422, body: { code: 'InvalidToken' } })
    })

    test('parts that are missing, named wrongly or with another digest are no file', async () => {
      const world = open()
      const { blobToken } = await begin(world)
      const bytes = randomBytes(100)
      expect(await end(world, blobToken, { partETags: [] })).toMatchObject({ body: { code: 'UploadEmpty' } })
      await part(world, blobToken, 1, bytes)
      const etags = [md5(bytes)]
      expect(await end(world, blobToken, { partETags: etags })).toMatchObject({ body: { code: 'UploadPartsMismatch' } })
      await part(world, blobToken, 0, bytes)
      expect(await end(world, blobToken, { partETags: etags })).toMatchObject({ body: { code: 'UploadPartsMismatch' } })
      const both = { partETags: [...etags, ...etags] }
      expect(await end(world, blobToken, { ...both, completeMD5: md5(bytes) })).toMatchObject({
        body: { code: 'BadDigest' },
      })
      expect((await end(world, blobToken, both)).status).toBe(200)
    })

    once('parts that are too much together are refused when they come', async () => {
      const world = open()
      const { blobToken } = await begin(world)
      expect((await part(world, blobToken, 0, randomBytes(1_500_000))).status).toBe(200)
      expect((await part(world, blobToken, 0, randomBytes(1_600_000))).status).toBe(200)
      expect((await part(world, blobToken, 1, randomBytes(600_000))).body).toMatchObject({ code: 'FileTooLarge' })
    })

    test('an upload exists for its own subscription alone', async () => {
      const world = open()
      const other = await clientAt(world)
      const { blobToken } = await begin(world)
      expect(await part(other, blobToken, 0, randomBytes(9))).toMatchObject({ body: { code: 'InvalidToken' } })
      expect(await end(other, blobToken, { partETags: [] })).toMatchObject({ body: { code: 'InvalidToken' } })
      const known = await part(world, blobToken, 0, Buffer.from('mine'))
      expect(known.status).toBe(200)
    })

    once('keys, roles, tokens with path characters and links of somebody else are judged', async () => {
      const world = open()
      const keyless = await fetch(new URL('/api/plain-uploads', world.baseUrl), { method: 'POST', body: 'x' })
      expect(keyless.status).toBe(401)
      const monitor = await clientAt(world, { roles: ['Monitor'], subscriptionId: world.client.subscriptionId })
      expect((await upload(monitor, Buffer.from('x'))).status).toBe(403)
      for (const token of ['..%2F..%2Fetc', '%00', 'a%5Cb', 'x'.repeat(99)])
        expect((await part(world, token, 0, Buffer.from('x'))).body).toMatchObject({ code: 'InvalidToken' })
      expect((await part(world, 'x', '-1', Buffer.from('x'))).status).toBe(400)
      const forged = await world.call('GET', '/api/files?access_ticket=forged')
      expect(forged.status).toBe(422)
    })

    once('an upload and its bytes are gone when their time is over', async () => {
      const world = open()
      const bytes = randomBytes(300)
      const { body } = await upload(world, bytes)
      const rows = () => world.store.db.selectFrom('upload').select('digest').execute()
      clock.advance(2 * DAY)
      await notify(world.store.db, LOOK_NOW)
      await vi.waitUntil(async () => (await rows()).length === 0)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const stored = async () => (await readdir(world.dataFolder, { recursive: true })).join('\n')
      await vi.waitUntil(async () => !(await stored()).includes(sha256))
      expect(await bytesAt(body.url)).toMatchObject({ status: 422 })
    })
  })
}
