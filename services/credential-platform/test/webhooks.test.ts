// What the webhooks of an organization and of its institutions are told, and when (spec 3 B).
import { startReceiver } from '@chancela/testkit/receiver'
import { describe, expect, test, vi } from 'vitest'
import type { EventKind } from '../src/contract/vocabulary.ts'
import { databases, instituteOf, organizationAt, sharedPlatform, testOnce } from './test-support/credential-world.ts'
import { expectWholeData } from './test-support/event-data.ts'
import { fields } from './test-support/event-samples.ts'
import { itemsAt } from './test-support/items.ts'
import { arrived, bodies, quiet, soon, types } from './test-support/receiving.ts'

for (const database of databases) {
  describe(`webhooks on ${database}`, () => {
    // Who waits for a receiver that never answers waits longer than a test may take.
    const patient = { AllowedHosts: ['127.0.0.1/32'], RestampEvents: true, TimeoutSeconds: 300 }
    const open = sharedPlatform(database, { Webhooks: patient })
    const once = testOnce(database)

    /** An organization with an institution and items. */
    async function school(world = open()) {
      const organization = await organizationAt(world)
      const { id: instituteId } = await instituteOf(organization)
      const path = `/api/subscriptions/${organization.subscriptionId}/webhook`
      const integrations = `/api/institutes/${instituteId}/integrations`
      const items = itemsAt(world, { subscriptionId: organization.subscriptionId, instituteId })
      return { ...organization, instituteId, path, integrations, ...items }
    }

    async function told(world = open(), answer?: Parameters<typeof startReceiver>[0]) {
      const receiver = await startReceiver(answer)
      const at = await school(world)
      const { status } = await at.json('PUT', at.path, { enabled: true, url: receiver.url })
      expect(status).toBe(200)
      return { ...at, receiver }
    }

    test('the organization is told of all its kinds, each with its model, and of no other', async () => {
      const { create, change, receiver, subscriptionId } = await told()
      const degree = await create('Degree')
      await create('Emission')
      const emission = await create(
        'Emission',
        { status: 'SentToRegistry', registration_status: 'AwaitingAcceptance' },
        true,
      )
      await change('EmissionRegistration', emission, 'accept')
      await create('Registration')
      await create('AcademicTranscript')
      await create('Curriculum')
      await create('Restamp')
      await create('CancellationList')
      await create('InspectionFile', { status: 'Created' })
      await arrived(receiver, 7)
      await quiet()
      expect(types(receiver).toSorted()).toEqual([
        'AcademicTranscriptCreated',
        'CurriculumCreated',
        'DegreeCreated',
        'EmissionCreated',
        'EmissionRegistrationAccepted',
        'RegistrationCreated',
        'RestampCreated',
      ])
      for (const event of bodies(receiver)) {
        expectWholeData(event)
        expect(event.data.subscriptionId).toBe(subscriptionId)
      }
      expect(bodies(receiver).find(({ type }) => type === 'DegreeCreated').data.id).toBe(degree)
    })

    test('the institution is told of its lists and inspection files alone, at its own address', async () => {
      const { create, receiver, json, integrations } = await told()
      const own = await startReceiver()
      expect((await json('POST', integrations, { enabled: true, url: own.url })).status).toBe(200)
      await create('Degree')
      await create('CancellationList')
      await create('InspectionFile', { status: 'Created' })
      await arrived(own, 2)
      await arrived(receiver, 1)
      await quiet()
      expect(types(own).toSorted()).toEqual(['CancellationListCreated', 'InspectionFileCreated'])
      expect(types(receiver)).toEqual(['DegreeCreated'])
      for (const { data } of bodies(own)) {
        expect(data).not.toHaveProperty('subscriptionId')
        expect(Object.keys(data)).toEqual(expect.arrayContaining(['id', 'creationDate', 'status', 'iesCode']))
      }
    })

    test('events of the institution go to the organization where it says so, and nowhere where nothing is set up', async () => {
      const { create, change, receiver, json, path, integrations } = await told()
      const nowhere = await create('CancellationList')
      await quiet()
      expect(receiver.received).toEqual([])
      // The flag is on, and what stands beside it does not count.
      const own = await startReceiver()
      const flag = { enabled: true, url: own.url, shouldUseSubscriptionWebhookSettings: true }
      expect((await json('POST', integrations, flag)).body).toMatchObject({
        shouldUseSubscriptionWebhookSettings: true,
      })
      await change('CancellationList', nowhere, 'sign')
      await arrived(receiver, 1)
      // The organization moves, and the institution with it.
      const moved = await startReceiver()
      await json('PUT', path, { enabled: true, url: moved.url })
      await create('InspectionFile', { status: 'Created' })
      await arrived(moved, 1)
      // Without a webhook of the organization the flag is not enough.
      await json('PUT', path, { enabled: false, url: moved.url })
      await create('InspectionFile', { status: 'Created' })
      await quiet()
      expect([types(receiver), types(moved), types(own)]).toEqual([
        ['CancellationListSigned'],
        ['InspectionFileCreated'],
        [],
      ])
    })

    test('a switched off webhook is sent nothing, and goes on with what comes after', async () => {
      const { create, receiver, json, path } = await told()
      await json('PUT', path, { enabled: false, url: receiver.url })
      await create('Degree')
      await quiet()
      await json('PUT', path, { enabled: true, url: receiver.url })
      await create('Curriculum')
      await arrived(receiver, 1)
      await quiet()
      expect(types(receiver)).toEqual(['CurriculumCreated'])
    })

    test('an organization has one webhook: a second configuration replaces the first', async () => {
      const { create, receiver, json, path, subscriptionId } = await told()
      const second = await startReceiver()
      await Promise.all([1, 2, 3].map(() => json('PUT', path, { enabled: true, url: second.url })))
      await create('Degree')
      await arrived(second, 1)
      await quiet()
      expect([receiver.received.length, second.received.length]).toEqual([0, 1])
      const rows = await open()
        .store.db.selectFrom('webhook_endpoint' as never)
        .selectAll()
        .where('owner_id' as never, '=', subscriptionId as never)
        .execute()
      expect(rows).toHaveLength(1)
    })

    test('a delivery is a POST of JSON without a signature, under the header of its authType', async () => {
      const { create, receiver, json, path } = await told()
      const token = 'dXNlcjpwYXNz+/Zz=='
      const sent: Record<string, unknown> = {}
      for (const authType of ['NoAuth', 'Basic', 'Bearer', 'ApiKey'] as const) {
        const before = receiver.received.length
        await json('PUT', path, { enabled: true, url: receiver.url, authType, ...(authType !== 'NoAuth' && { token }) })
        await create('Degree')
        await arrived(receiver, before + 1)
        const { method, headers } = receiver.received.at(-1)!
        expect([method, headers['content-type']]).toEqual(['POST', 'application/json; charset=utf-8'])
        expect(Object.keys(headers).filter((name) => /webhook|signature|digest/.test(name))).toEqual([])
        sent[authType] = [headers.authorization, headers['x-api-key']]
      }
      expect(sent).toEqual({
        NoAuth: [undefined, undefined],
        Basic: [`Basic ${token}`, undefined],
        Bearer: [`Bearer ${token}`, undefined],
        ApiKey: [undefined, token],
      })
      for (const { body } of receiver.received) expect(Object.keys(JSON.parse(body))).toEqual(['type', 'data'])
    })

    test('Basic encodes nothing, and a token is neither shown nor logged, nor readable in the store', async () => {
      const { create, receiver, json, path } = await told()
      const token = 'user:plain-password-0123'
      const put = await json('PUT', path, { enabled: true, url: receiver.url, authType: 'Basic', token })
      expect(put.body).toEqual({ enabled: true, url: receiver.url, authType: 'Basic', hasToken: true })
      await create('Degree')
      await arrived(receiver, 1)
      expect(receiver.received[0]!.headers.authorization).toBe(`Basic ${token}`)
      // Not given, it stays; with another type it must be given.
      expect((await json('PUT', path, { enabled: true, url: receiver.url, authType: 'Basic' })).body.hasToken).toBe(
        true,
      )
      expect((await json('PUT', path, { enabled: true, url: receiver.url, authType: 'Bearer' })).body).toMatchObject({
        status: 422,
        code: 'invalid-data',
        errors: { token: [expect.any(String)] },
      })
      expect((await json('GET', path)).text).not.toContain(token)
      expect(open().log()).not.toContain(token)
      for (const table of ['webhook_settings', 'webhook_endpoint', 'entity_event'] as const) {
        const rows = await open()
          .store.db.selectFrom(table as never)
          .selectAll()
          .execute()
        expect(JSON.stringify(rows)).not.toContain(token)
      }
    })

    once('a configuration that cannot be is refused by the name of what is wrong', async () => {
      const { json, path, integrations } = await school()
      const refused = async (method: string, at: string, body: object) => {
        const answer = await json(method, at, body)
        return [answer.status, answer.body.code, Object.keys(answer.body.errors ?? {})]
      }
      expect(await refused('PUT', path, { enabled: true })).toEqual([422, 'invalid-data', ['url']])
      expect(await refused('POST', integrations, { enabled: true })).toEqual([422, 'invalid-data', ['url']])
      expect(
        (await json('POST', integrations, { enabled: true, shouldUseSubscriptionWebhookSettings: true })).status,
      ).toBe(200)
      const url = 'https://example.com/hook'
      expect(await refused('PUT', path, { enabled: true, url, authType: 'Digest' })).toEqual([
        400,
        'invalid-request',
        ['authType'],
      ])
      expect(await refused('PUT', path, { enabled: true, url, token: 'x' })).toEqual([
        422,
        'invalid-data',
        ['authType'],
      ])
      const broken = { enabled: true, url, authType: 'Bearer', token: 'a\nb' }
      expect(await refused('PUT', path, broken)).toEqual([422, 'invalid-data', ['token']])
      expect(await refused('PUT', path, { enabled: true, url: 'http://10.0.0.1/' })).toEqual([
        422,
        'webhook-url-refused',
        ['url'],
      ])
      expect(await refused('PUT', path, { enabled: true, url: 'ftp://example.com' })).toEqual([
        422,
        'webhook-url-refused',
        ['url'],
      ])
      // The flag is of institutions.
      const flag = { enabled: false, shouldUseSubscriptionWebhookSettings: true }
      const [status, code] = await refused('PUT', path, flag)
      expect([status, code]).toEqual([400, 'invalid-request'])
      expect((await json('GET', path)).body).toEqual({ enabled: false, url: null, authType: 'NoAuth', hasToken: false })
    })

    test('type and data are those of the moment of sending: close changes repeat a type and skip a state', async () => {
      const held: (() => void)[] = []
      const { create, change, receiver } = await told(open(), (_, response) => void held.push(() => response.end()))
      const first = await create('Degree')
      // The first delivery of a receiver that is not known yet goes alone; the others wait behind it.
      await arrived(receiver, 1)
      const id = await create('AcademicTranscript')
      await change('AcademicTranscript', id, 'conclude')
      await change('Degree', first, 'closeDocumentation')
      await change('Degree', first, 'conclude', { verification_code: `1.2.${crypto.randomUUID().slice(-12)}` })
      for (let done = 0; done < 5; done++) {
        await vi.waitUntil(() => held.length > done, soon)
        held[done]!()
      }
      await arrived(receiver, 5)
      expect(types(receiver).toSorted()).toEqual([
        'AcademicTranscriptConcluded',
        'AcademicTranscriptConcluded',
        'DegreeConcluded',
        'DegreeConcluded',
        'DegreeCreated',
      ])
      expect(bodies(receiver).filter(({ type }) => type === 'DegreeConcluded')[0].data.verificationCode).toMatch(
        /^1\.2\./,
      )
    })

    test('the change does not wait for the receiver', async () => {
      const { create, receiver, json, path } = await told(open(), () => {})
      await create('Degree')
      await json('POST', `${path}/test`, {})
      await arrived(receiver, 1)
    })

    test('resending tells of items as they are now, of the own ones alone', async () => {
      const { create, change, receiver, json } = await told()
      const other = await told()
      const foreign = await other.create('Degree')
      const id = await create('AcademicTranscript')
      await change('AcademicTranscript', id, 'conclude')
      await arrived(receiver, 2)
      await arrived(other.receiver, 1)
      const again = await json('POST', '/api/webhooks/resend', { kind: 'AcademicTranscript', ids: [id, id] })
      expect([again.status, again.body]).toEqual([202, { scheduled: 1, unknown: [] }])
      await arrived(receiver, 3)
      expect(types(receiver).at(-1)).toBe('AcademicTranscriptConcluded')
      const none = await json('POST', '/api/webhooks/resend', { kind: 'Degree', ids: [foreign] })
      expect(none.body).toEqual({ scheduled: 0, unknown: [foreign] })
      await quiet()
      expect([receiver.received.length, other.receiver.received.length]).toEqual([3, 1])
      const without = await school()
      const silent = await without.create('Degree')
      const refused = await without.json('POST', '/api/webhooks/resend', { kind: 'Degree', ids: [silent] })
      expect([refused.status, refused.body.code]).toEqual([422, 'webhook-disabled'])
    })

    test('a sample of each kind has the fields of its model', async () => {
      const { receiver, json, path } = await told()
      const kinds = Object.keys(fields) as EventKind[]
      for (const kind of kinds) expect((await json('POST', `${path}/test`, { kind })).status).toBe(202)
      await arrived(receiver, kinds.length)
      for (const event of bodies(receiver)) expectWholeData(event)
      await json('PUT', path, { enabled: false })
      expect((await json('POST', `${path}/test`, {})).body.code).toBe('webhook-disabled')
    })

    once('there is no list of what was sent', async () => {
      const { json, path, subscriptionId } = await school()
      for (const at of [`${path}/deliveries`, '/api/webhooks', `/api/subscriptions/${subscriptionId}/webhooks`])
        expect([at, (await json('GET', at)).body.code]).toEqual([at, 'unknown-route'])
    })
  })
}
