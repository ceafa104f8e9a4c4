import { listDeliveries } from '@chancela/outbox/webhooks'
import { type Received, startReceiver } from '@chancela/testkit/receiver'
import { Webhook } from 'standardwebhooks'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { describe, expect, test, vi } from 'vitest'
import { eventCatalogue } from '../src/contract/event-data.ts'
import { type EventType, eventTypes } from '../src/contract/webhooks.ts'
import { later } from './test-support/look-now.ts'
import { fileMailbox } from './test-support/mailbox.ts'
import {
  createDocument,
  databases,
  newOrganization,
  type PlatformWorld,
  people,
  sharedPlatform,
  signer,
  startPlatform,
  untilKnown,
} from './test-support/platform-world.ts'

const { Email, fromNowOn } = await fileMailbox()

/** Waits until as many deliveries came, and gives them by the time they came. */
async function arrived(received: readonly Received[], count: number): Promise<readonly Received[]> {
  await vi.waitUntil(() => received.length >= count, { interval: 10 })
  return received
}

const register = ({ json, organization }: PlatformWorld, url: string, over: object = {}) =>
  json('POST', `/api/organizations/${organization.id}/webhooks`, { url, authType: 'NoAuth', ...over })

/** What waits for the webhooks of the organization after its first attempt. */
const waitingOf = async ({ store, organization }: PlatformWorld) =>
  (await listDeliveries(store.db, { ownerId: organization.id, states: ['waiting'] })).filter(
    ({ attempts }) => attempts > 0,
  )

for (const database of databases) {
  describe(`webhooks of an organization on ${database}`, () => {
    const open = sharedPlatform(database)

    test('POST /api/organizations/{orgId}/webhooks registers one, which GET /api/organizations/{orgId} lists', async () => {
      const world = await open()
      const { id: orgId } = world.organization
      const created = await register(world, 'https://example.com/hook', { authType: 'Bearer', token: 'secret-token' })
      expect(created.status).toBe(200)
      expect(created.body.webhookId).toBe(created.body.id)
      const { body } = await world.json('GET', `/api/organizations/${orgId}`)
      expect(body.webhooks).toEqual([
        expect.objectContaining({
          id: created.body.id,
          url: 'https://example.com/hook',
          authType: 'Bearer',
          hasToken: true,
          state: 'enabled',
        }),
      ])
      expect(JSON.stringify(body)).not.toContain('secret-token')
    })

    test('PUT and DELETE /api/organizations/{orgId}/webhooks/{webhookId} change and remove it', async () => {
      const world = await open()
      const path = `/api/organizations/${world.organization.id}/webhooks`
      const { id } = (await register(world, 'https://example.com/a')).body
      const changed = await world.json('PUT', `${path}/${id}`, { url: 'https://example.com/b', authType: 'NoAuth' })
      expect([changed.status, changed.body]).toEqual([200, undefined])
      const listed = async () => (await world.json('GET', `/api/organizations/${world.organization.id}`)).body.webhooks
      expect(await listed()).toEqual([expect.objectContaining({ id, url: 'https://example.com/b' })])
      expect((await world.json('DELETE', `${path}/${id}`)).status).toBe(200)
      expect(await listed()).toEqual([])
      expect((await world.json('DELETE', `${path}/${id}`)).body.code).toBe('WebhookNotFound')
    })

    test('going over MaxWebhooksPerOrganization answers MaxWebhooksLimitReached, also for calls at once', async () => {
      const world = await open()
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) => register(world, `https://example.com/${n}`)),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
      expect(answers.filter(({ body }) => body.code === 'MaxWebhooksLimitReached').map(({ status }) => status)).toEqual(
        [422, 422, 422],
      )
    })

    test('a personal organization answers OperationNotSupportedInPersonalOrganizations', async () => {
      const world = await open()
      const personal = await newOrganization(world.store, world.clock(), 'Ana', { ownerId: crypto.randomUUID() })
      const headers = { 'X-Api-Key': personal.apiKey }
      await untilKnown(world.baseUrl, personal.apiKey)
      const path = `/api/organizations/${personal.id}/webhooks`
      const { status, body } = await world.json(
        'POST',
        path,
        { url: 'https://example.com/', authType: 'NoAuth' },
        headers,
      )
      expect([status, body.code]).toEqual([422, 'OperationNotSupportedInPersonalOrganizations'])
    })

    test('addresses that are not public, carry credentials or are no URL are refused when they are saved', async () => {
      const world = await open()
      for (const url of [
        'http://169.254.169.254/latest/meta-data',
        'http://[::1]/',
        'http://[::ffff:10.0.0.1]/',
        'http://10.1.2.3/',
        'https://user:password@example.com/',
        'ftp://example.com/',
        'hook',
      ]) {
        const { status, body } = await register(world, url)
        expect([url, status, body.code]).toEqual([url, 422, 'WebhookUrlNotAllowed'])
      }
    })

    test('another organization is forbidden', async () => {
      const world = await open()
      const other = await newOrganization(world.store, world.clock(), 'Outra')
      const { status, body } = await world.json('POST', `/api/organizations/${other.id}/webhooks`, {
        url: 'https://example.com/',
        authType: 'NoAuth',
      })
      expect([status, body.code]).toEqual([403, 'Forbidden'])
    })

    test('each authType sends its header with the token exactly as registered', async () => {
      const world = await open()
      const expected: Readonly<Record<string, readonly [header: string, value: string | undefined]>> = {
        NoAuth: ['authorization', undefined],
        Basic: ['authorization', 'Basic dXNlcjpwYXNz'],
        Bearer: ['authorization', 'Bearer a.b-c_d~e+f/g=='],
        ApiKey: ['x-api-key', 'key with spaces | and bars'],
      }
      for (const [authType, [header, value]] of Object.entries(expected)) {
        const receiver = await startReceiver()
        const token = value?.replace(/^(?:Basic|Bearer) /, '')
        const { id } = (await register(world, receiver.url, { authType, token })).body
        await createDocument(world, [signer(people.ana)])
        const [request] = await arrived(receiver.received, 1)
        expect(request!.headers[header]).toBe(value)
        expect(request!.headers['content-type']).toMatch(/^application\/json/)
        await world.json('DELETE', `/api/organizations/${world.organization.id}/webhooks/${id}`)
      }
    })

    test('the signature of a delivery is verified by a published library of Standard Webhooks', async () => {
      const world = await open()
      const receiver = await startReceiver()
      const { secret } = (await register(world, receiver.url)).body
      await createDocument(world, [signer(people.ana)])
      const [request] = await arrived(receiver.received, 1)
      // The library compares with the machine's clock, so that is set to the test's for a moment.
      vi.useFakeTimers({ now: world.clock(), toFake: ['Date'] })
      const verified = new Webhook(secret).verify(request!.body, request!.headers as Record<string, string>)
      vi.useRealTimers()
      expect(verified).toEqual(JSON.parse(request!.body))
      expect(() =>
        new Webhook(secret).verify(`${request!.body} `, request!.headers as Record<string, string>),
      ).toThrow()
    })

    test('a test event of each type reaches one webhook alone and is marked in its log', async () => {
      const world = await open()
      const [one, two] = [await startReceiver(), await startReceiver()]
      const { id } = (await register(world, one.url)).body
      await register(world, two.url)
      const path = `/api/organizations/${world.organization.id}/webhooks/${id}`
      for (const type of eventTypes) expect((await world.json('POST', `${path}/test`, { type })).status).toBe(200)
      await arrived(one.received, eventTypes.length)
      const types = one.received.map(({ body }) => JSON.parse(body).type as EventType)
      expect([...types].sort()).toEqual([...eventTypes].sort())
      expect(two.received).toEqual([])
      const { items } = (await world.json('GET', `${path}/deliveries`)).body
      expect(items).toHaveLength(eventTypes.length)
      expect(items.every(({ isTest }: { isTest: boolean }) => isTest)).toBe(true)
    })

    test('a delivery is shown with its payload and attempts, and is sent again with the same id and bytes', async () => {
      const world = await open()
      const receiver = await startReceiver((_, response) => response.end('obrigado'))
      const { id } = (await register(world, receiver.url)).body
      await createDocument(world, [signer(people.ana)])
      const [first] = await arrived(receiver.received, 1)
      const path = `/api/organizations/${world.organization.id}/webhooks/${id}`
      const delivered = async () => (await world.json('GET', `${path}/deliveries?state=delivered`)).body.items
      await vi.waitUntil(async () => (await delivered()).length === 1)
      const [{ id: deliveryId }] = await delivered()
      const detail = (await world.json('GET', `${path}/deliveries/${deliveryId}`)).body
      expect(detail).toMatchObject({
        body: first!.body,
        attempts: 1,
        attemptLog: [{ status: 200, answer: 'obrigado' }],
      })
      const again = await world.json('POST', `${path}/replay`, { deliveryIds: [deliveryId] })
      expect(again.body).toEqual({ scheduled: 1 })
      const [, second] = await arrived(receiver.received, 2)
      expect(second!.body).toBe(first!.body)
      expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
    })

    test('a paused webhook gets what happened meanwhile when it is enabled again', async () => {
      const world = await open()
      const receiver = await startReceiver()
      const { id } = (await register(world, receiver.url)).body
      const path = `/api/organizations/${world.organization.id}/webhooks/${id}/state`
      expect((await world.json('PUT', path, { state: 'paused' })).status).toBe(200)
      // A second webhook gets the same event: once it has it, the first would have had it.
      const other = await startReceiver()
      await register(world, other.url)
      await createDocument(world, [signer(people.ana)])
      await arrived(other.received, 1)
      expect(receiver.received).toEqual([])
      await world.json('PUT', path, { state: 'enabled' })
      await arrived(receiver.received, 1)
    })

    test('a webhook may take some types of events and some folders alone', async () => {
      const world = await open()
      const receiver = await startReceiver()
      const folder = (await world.json('POST', '/api/folders', { name: 'Contratos' })).body
      await register(world, receiver.url, { eventTypes: ['DocumentCanceled'], folderIds: [folder.id] })
      const inside = await createDocument(world, [signer(people.ana)], { folderId: folder.id })
      const outside = await createDocument(world, [signer(people.ana)])
      for (const id of [outside, inside]) await world.json('POST', `/api/documents/${id}/cancellation`, { reason: 'x' })
      const [only] = await arrived(receiver.received, 1)
      expect(JSON.parse(only!.body)).toMatchObject({ type: 'DocumentCanceled', data: { id: inside } })
      expect(receiver.received).toHaveLength(1)
    })

    test('PUT puts a webhook that was switched off to work again, at its new address', async () => {
      const world = await open()
      const receiver = await startReceiver()
      const path = `/api/organizations/${world.organization.id}/webhooks`
      const { id } = (await register(world, 'http://127.0.0.1:1/')).body
      await world.json('PUT', `${path}/${id}/state`, { state: 'disabled' })
      expect((await world.json('PUT', `${path}/${id}`, { url: receiver.url, authType: 'NoAuth' })).status).toBe(200)
      const { webhooks } = (await world.json('GET', `/api/organizations/${world.organization.id}`)).body
      expect(webhooks).toMatchObject([{ id, state: 'enabled', stateReason: null, failures: 0 }])
      await createDocument(world, [signer(people.ana)])
      await arrived(receiver.received, 1)
    })

    test('PUT leaves what it does not name: authentication, types and folders', async () => {
      const world = await open()
      const receiver = await startReceiver()
      const path = `/api/organizations/${world.organization.id}/webhooks`
      const kept = { authType: 'ApiKey', eventTypes: ['DocumentsCreated'], ordered: true }
      const { id } = (await register(world, 'https://example.com/', { ...kept, token: 'the key' })).body
      const change = (body: object) => world.json('PUT', `${path}/${id}`, { url: receiver.url, ...body })
      for (const body of [
        {},
        { authType: '', token: '' },
        { authType: null, eventTypes: null },
        { authType: 'ApiKey' },
      ])
        expect([body, (await change(body)).status]).toEqual([body, 200])
      const listed = async () => (await world.json('GET', `/api/organizations/${world.organization.id}`)).body.webhooks
      expect(await listed()).toMatchObject([{ url: receiver.url, hasToken: true, ...kept }])
      await createDocument(world, [signer(people.ana)])
      const [request] = await arrived(receiver.received, 1)
      expect(request!.headers['x-api-key']).toBe('the key')
      expect(await change({ authType: 'Bearer' })).toMatchObject({
        status: 400,
        body: { code: 'InvalidRequest', details: { token: expect.any(String) } },
      })
      expect((await change({ authType: 'NoAuth', eventTypes: [], ordered: false })).status).toBe(200)
      expect(await listed()).toMatchObject([{ authType: 'NoAuth', hasToken: false, eventTypes: null, ordered: false }])
    })

    test('a token without its authType is refused by name, and nothing is registered or changed', async () => {
      const world = await open()
      const refused = { status: 400, body: { code: 'InvalidRequest', details: { authType: expect.any(String) } } }
      for (const authType of [undefined, null, ''])
        expect(await register(world, 'https://example.com/', { authType, token: 'abc' })).toMatchObject(refused)
      const { id } = (await register(world, 'https://example.com/', { authType: undefined })).body
      const path = `/api/organizations/${world.organization.id}`
      expect(
        await world.json('PUT', `${path}/webhooks/${id}`, { url: 'https://example.com/', token: 'abc' }),
      ).toMatchObject(refused)
      expect((await world.json('GET', path)).body.webhooks).toMatchObject([{ id, authType: 'NoAuth' }])
    })

    test('a receiver that answers 410 is tried again, and the webhook stays', async () => {
      const world = await startPlatform(database)
      let isGone = true
      const receiver = await startReceiver((_, response) => response.writeHead(isGone ? 410 : 200).end())
      await register(world, receiver.url)
      await createDocument(world, [signer(people.ana)])
      const [first] = await arrived(receiver.received, 1)
      await vi.waitUntil(async () => (await waitingOf(world)).length === 1, { interval: 10 })
      isGone = false
      await later(world, 60_000)
      const [, second] = await arrived(receiver.received, 2)
      expect(second!.body).toBe(first!.body)
    })

    test('where it is set, a receiver that answers 410 is switched off, and all it missed is sent when it is back', async () => {
      const settings = { Webhooks: { AllowedHosts: ['127.0.0.1/32'], DisableOnGone: true }, Email }
      const world = await startPlatform(database, { settings })
      let isGone = true
      const receiver = await startReceiver((_, response) => response.writeHead(isGone ? 410 : 200).end())
      const dona = { name: 'Dona Rosa', email: 'dona@example.com', accessProfile: { administrator: true } }
      await world.json('POST', '/api/organizations/users', dona)
      const mails = fromNowOn()
      const { id } = (await register(world, receiver.url)).body
      const path = `/api/organizations/${world.organization.id}`
      const stateOf = async () => (await world.json('GET', path)).body.webhooks[0].state
      const created = await createDocument(world, [signer(people.ana)])
      await vi.waitUntil(async () => (await stateOf()) === 'disabled', { interval: 10 })
      await vi.waitUntil(() => mails.inbox().some(({ to }) => to.some(({ address }) => address === dona.email)))
      await world.json('POST', `/api/documents/${created}/cancellation`, { reason: 'x' })
      const since = '2000-01-01T00:00:00Z'
      const replay = (body: object) => world.json('POST', `${path}/webhooks/${id}/replay`, body)
      const off = { status: 422, body: { code: 'WebhookDisabled' } }
      expect(await replay({ failedSince: since, missingSince: since })).toMatchObject(off)
      const test = await world.json('POST', `${path}/webhooks/${id}/test`, { type: 'DocumentSigned' })
      expect(test).toMatchObject(off)
      isGone = false
      expect((await world.json('PUT', `${path}/webhooks/${id}`, { url: receiver.url })).status).toBe(200)
      expect((await replay({ failedSince: since, missingSince: since })).body).toEqual({ scheduled: 2 })
      const [, ...sent] = await arrived(receiver.received, 3)
      expect(sent.map(({ body }) => JSON.parse(body).type).sort()).toEqual(['DocumentCanceled', 'DocumentsCreated'])
      await vi.waitUntil(async () => (await waitingOf(world)).length === 0, { interval: 10 })
      expect((await replay({ failedSince: since, missingSince: since })).body).toEqual({ scheduled: 0 })
    })

    test('a restart delivers what was not delivered before it', async () => {
      const world = await startPlatform(database)
      let works = false
      const receiver = await startReceiver((_, response) => response.writeHead(works ? 200 : 503).end())
      await register(world, receiver.url)
      await createDocument(world, [signer(people.ana)])
      await arrived(receiver.received, 1)
      await world.stop()
      works = true
      world.clock.advance(60_000)
      await startPlatform(database, { after: world })
      const [first, second] = await arrived(receiver.received, 2)
      expect(second!.body).toBe(first!.body)
    })
  })
}

describe('the catalogue of events', () => {
  test('names every type, and each sample fits its schema', () => {
    expect(Object.keys(eventCatalogue)).toEqual([...eventTypes])
    for (const { schema, sample } of Object.values(eventCatalogue)) {
      const strict = Compile(
        Type.Object({ ...(schema as ReturnType<typeof Type.Object>).properties }, { additionalProperties: false }),
      )
      expect(strict.Check(sample)).toBe(true)
    }
  })
})
