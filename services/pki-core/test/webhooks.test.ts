import { startReceiver } from '@chancela/testkit/receiver'
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test, vi } from 'vitest'
import { clientAt, databases, sharedCore } from './test-support/core-world.ts'
import { rootClient } from './test-support/management.ts'
import { begin, pdfDocument, signAll } from './test-support/sessions.ts'
import { download, inline, pdfsig, sign } from './test-support/signing.ts'

const ANA = 'ana-souza'
const contract = samplePdf('Contract')

for (const database of databases) {
  describe(`webhooks on ${database}`, () => {
    const open = sharedCore(database, { Webhooks: { AllowedHosts: ['127.0.0.1/32'] } })

    /** A subscription of its own, whose webhook an application manages. */
    async function subscription() {
      const client = await clientAt(open(), { roles: ['Manager', 'Worker'] })
      return { ...client, baseUrl: open().baseUrl, path: `/api/subscriptions/${client.subscriptionId}/webhook` }
    }

    test('every signed document is told, from sessions and without one', async () => {
      const { received, url } = await startReceiver()
      const client = await subscription()
      const { body: set } = await client.json('PUT', client.path, { url, authType: 'Bearer', token: 'secret-1' })
      expect(set).toMatchObject({ url, authType: 'Bearer', hasToken: true, state: 'enabled' })
      expect(set.secret).toMatch(/^whsec_/)
      const { document } = await sign(client, ANA, { file: inline('a.txt', 'text') })
      const session = await begin(client, { enableBackgroundProcessing: true, documents: [pdfDocument(contract)] })
      await signAll(session, ANA)
      await vi.waitUntil(() => received.length === 2, { interval: 20 })
      const told = received.map(({ body }) => JSON.parse(body))
      expect(told.map(({ type }) => type)).toEqual(Array.from({ length: 2 }, () => 'DocumentSignatureCompleted'))
      expect(received[0]!.headers.authorization).toBe('Bearer secret-1')
      expect(received[0]!.headers['webhook-signature']).toMatch(/^v1,/)
      const ofSession = told.find((one) => one.document.id !== document.id)
      expect(ofSession.document).toMatchObject({
        signatureType: 'Pdf',
        signers: [{ certificate: { subjectDisplayName: 'ANA BEATRIZ SOUZA' } }],
      })
      const { pathname, search } = new URL(ofSession.document.signedFile.url)
      expect(await pdfsig(await download(`${client.baseUrl}${pathname}${search}`))).toContain('Signature is Valid.')
    })

    test('a webhook authenticates itself as it was told to, and keeps a token that is not given', async () => {
      const { received, url } = await startReceiver()
      const client = await subscription()
      await client.json('PUT', client.path, { url, authType: 'Basic', token: 'dXNlcjpwYXNz' })
      const kept = await client.json('PUT', client.path, { url: `${url}?again`, authType: 'Basic' })
      expect(kept.body).toMatchObject({ hasToken: true, secret: null })
      await sign(client, ANA, { file: inline('a.txt', 'text') })
      await vi.waitUntil(() => received.length === 1, { interval: 20 })
      expect(received[0]).toMatchObject({ path: '/hook?again', headers: { authorization: 'Basic dXNlcjpwYXNz' } })
      await client.json('PUT', client.path, { url, authType: 'ApiKey', token: 'app|key' })
      await sign(client, ANA, { file: inline('a.txt', 'text') })
      await vi.waitUntil(() => received.length === 2, { interval: 20 })
      expect(received[1]!.headers).toMatchObject({ 'x-api-key': 'app|key' })
      expect(received[1]!.headers.authorization).toBeUndefined()
    })

    test('a subscription has one webhook, for itself and those who may manage it', async () => {
      const { received, url } = await startReceiver()
      const client = await subscription()
      const other = await subscription()
      await Promise.all([1, 2, 3].map(() => client.json('PUT', client.path, { url })))
      const rows = await open()
        .store.db.selectFrom('webhook_endpoint' as never)
        .selectAll()
        .where('owner_id' as never, '=', client.subscriptionId as never)
        .execute()
      expect(rows).toHaveLength(1)
      for (const method of ['GET', 'PUT', 'DELETE'])
        expect((await other.json(method, client.path, method === 'PUT' ? { url } : undefined)).body.code).toBe(
          'EntityNotFound',
        )
      const worker = await clientAt(open(), { subscriptionId: client.subscriptionId })
      expect((await worker.json('GET', client.path)).status).toBe(403)
      await sign(other, ANA, { file: inline('a.txt', 'text') })
      expect((await client.json('DELETE', client.path)).status).toBe(200)
      expect((await client.json('GET', client.path)).body.code).toBe('EntityNotFound')
      await sign(client, ANA, { file: inline('a.txt', 'text') })
      expect(received).toEqual([])
    })

    test('what was sent is in the log, and can be sent again, by those who manage the webhook alone', async () => {
      const { received, url } = await startReceiver()
      const [client, other] = [await subscription(), await subscription()]
      const { secret } = (await client.json('PUT', client.path, { url })).body
      await other.json('PUT', other.path, { url })
      const { document } = await sign(client, ANA, { file: inline('a.txt', 'text') })
      await vi.waitUntil(() => received.length === 1, { interval: 20 })
      const log = async (query = '') => (await client.json('GET', `${client.path}/deliveries${query}`)).body
      await vi.waitUntil(async () => (await log('?state=delivered')).items.length === 1, {
        interval: 20,
      })
      const [delivery] = (await log()).items
      expect(delivery).toMatchObject({
        type: 'DocumentSignatureCompleted',
        documentId: document.id,
        state: 'delivered',
        isTest: false,
        lastStatus: 200,
      })
      expect((await log(`?documentId=${crypto.randomUUID()}`)).items).toEqual([])
      expect((await log('?state=waiting&limit=1')).nextCursor).toBeNull()
      const { body: detail } = await client.json('GET', `${client.path}/deliveries/${delivery.id}`)
      expect(detail.attemptLog).toMatchObject([{ status: 200, error: null }])
      expect(JSON.parse(detail.attemptLog[0].body).document.id).toBe(document.id)
      const foreign = await other.json('GET', `${other.path}/deliveries/${delivery.id}`)
      expect(foreign).toMatchObject({ status: 422, body: { code: 'EntityNotFound' } })
      const stolen = await other.json('POST', `${other.path}/replay`, { deliveryIds: [Number(delivery.id)] })
      expect(stolen.body).toEqual({ scheduled: 0 })
      const again = await client.json('POST', `${client.path}/replay`, { deliveryIds: [Number(delivery.id)] })
      expect(again.body).toEqual({ scheduled: 1 })
      await vi.waitUntil(() => received.length === 2, { interval: 20 })
      expect(received[1]!.headers['webhook-id']).toBe(received[0]!.headers['webhook-id'])
      const rotated = await client.json('POST', `${client.path}/secret`)
      expect(rotated.body.secret).toMatch(/^whsec_/)
      expect(rotated.body.secret).not.toBe(secret)
      expect((await log('?limit=1')).nextCursor).toEqual(expect.any(String))
      expect((await log(`?cursor=${(await log('?limit=1')).nextCursor}`)).items).toHaveLength(1)
      expect((await client.json('GET', `${client.path}/deliveries?since=yesterday`)).status).toBe(400)
    })

    test('a sample is sent to try a webhook; a paused one waits, and what waits can be given up', async () => {
      const { received, url } = await startReceiver()
      const client = await subscription()
      await client.json('PUT', client.path, { url })
      const sent = await client.json('POST', `${client.path}/test`)
      expect(sent.status).toBe(200)
      await vi.waitUntil(() => received.length === 1, { interval: 20 })
      const sample = JSON.parse(received[0]!.body)
      expect(sample).toMatchObject({
        type: 'DocumentSignatureCompleted',
        document: { signatureType: 'Pdf', signers: [] },
      })
      expect((await client.json('PUT', `${client.path}/state`, { state: 'paused' })).body).toMatchObject({
        state: 'paused',
      })
      await client.json('POST', `${client.path}/test`)
      const waiting = async () => (await client.json('GET', `${client.path}/deliveries?state=waiting`)).body.items
      expect(await waiting()).toMatchObject([{ isTest: true, attempts: 0 }])
      expect((await client.json('POST', `${client.path}/cancel-waiting`, {})).body).toEqual({ canceled: 1 })
      expect(await waiting()).toEqual([])
      await client.json('PUT', `${client.path}/state`, { state: 'disabled' })
      for (const [step, body] of [
        ['test', undefined],
        ['replay', { missingSince: '2020-01-01' }],
      ] as const)
        expect(await client.json('POST', `${client.path}/${step}`, body)).toMatchObject({
          status: 422,
          body: { code: 'WebhookDisabled' },
        })
      await sign(client, ANA, { file: inline('a.txt', 'text') })
      expect((await client.json('PUT', `${client.path}/state`, { state: 'enabled' })).body.state).toBe('enabled')
      const missed = await client.json('POST', `${client.path}/replay`, { missingSince: '2020-01-01' })
      expect(missed.body).toEqual({ scheduled: 1 })
      await vi.waitUntil(() => received.length === 2, { interval: 20 })
      const owner = await rootClient(open(), ['Owner'])
      const metrics = await (await owner.call('GET', '/api/metrics')).text()
      expect(metrics).toMatch(/webhook_attempts_total\{[^}]*outcome="delivered"[^}]*\} [1-9]/)
    })

    test('an address inside, and an authentication without a token, are refused', async () => {
      const client = await subscription()
      const refusals: readonly [object, number, RegExp][] = [
        [{ url: 'http://10.0.0.1/hook' }, 422, /WebhookUrlNotAllowed/],
        [{ url: 'file:///etc/passwd' }, 422, /WebhookUrlNotAllowed/],
        [{ url: 'https://example.com', authType: 'Bearer' }, 400, /token/],
        [{ url: 'https://example.com', token: 'x' }, 400, /authType/],
        [{ url: 'https://example.com', authType: 'Bearer', token: 'a\nb' }, 400, /token/],
      ]
      for (const [request, status, expected] of refusals) {
        const answer = await client.json('PUT', client.path, request)
        expect({ status: answer.status, request }).toEqual({ status, request })
        expect(answer.text).toMatch(expected)
      }
    })
  })
}
