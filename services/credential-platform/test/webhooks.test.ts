// What the webhooks of an organization and of its institutions are told, and when (spec 3 B).
import { HOUR, MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { startReceiver } from '@chancela/testkit/receiver'
import { describe, expect, test, vi } from 'vitest'
import { eventTypes } from '../src/contract/event-types.ts'
import { eventModels } from '../src/contract/models.ts'
import type { EventKind } from '../src/contract/vocabulary.ts'
import {
  databases,
  instituteOf,
  organizationAt,
  sharedPlatform,
  startPlatform,
  testOnce,
} from './test-support/credential-world.ts'
import { itemsAt } from './test-support/items.ts'

const soon = { interval: 10, timeout: 20_000 }

/** Long enough for a delivery that must not come. */
const quiet = () => new Promise((resolve) => setTimeout(resolve, 300))

type Receiver = Awaited<ReturnType<typeof startReceiver>>

const bodies = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body))
const types = (receiver: Receiver): string[] => bodies(receiver).map(({ type }) => type)
const arrived = (receiver: Receiver, count: number) => vi.waitUntil(() => receiver.received.length >= count, soon)

for (const database of databases) {
  describe(`webhooks on ${database}`, () => {
    const open = sharedPlatform(database, { Webhooks: { AllowedHosts: ['127.0.0.1/32'], RestampEvents: true } })
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
      for (const { type, data } of bodies(receiver)) {
        const kind = kindOf(type)
        expect([kind, Object.keys(data)]).toEqual([kind, Object.keys(eventModels[kind].properties)])
        expect(data).toMatchObject({ id: expect.any(String), subscriptionId, status: expect.any(String) })
        expect(new Date(data.creationDate).toISOString()).toBe(data.creationDate)
      }
      expect(bodies(receiver).find(({ type }) => type === 'DegreeCreated').data.id).toBe(degree)
    })

    test('each of the 38 types is received, from the states of the items', async () => {
      const { create, change, receiver, json, integrations } = await told()
      await json('POST', integrations, { enabled: true, shouldUseSubscriptionWebhookSettings: true })
      const seen: string[] = []
      /** Waits for what was told of the last change: later ones would change its type. */
      const next = async (work: Promise<unknown>) => {
        const before = receiver.received.length
        const result = await work
        await arrived(receiver, before + 1)
        seen.push(types(receiver).at(-1)!)
        return result as string
      }
      for (const [kind, ...steps] of lives) {
        const [made, ...names] = steps
        const id = await next(create(kind, made))
        for (const name of names) await next(change(kind, id, ...name))
      }
      for (const status of ['AwaitingAcceptance', 'Accepted', 'Approved'] as const) {
        const id = await create('Emission', { status: 'SentToRegistry', registration_status: status }, true)
        for (const name of mirror[status]) await next(change('EmissionRegistration', id, name))
      }
      const failing = await create('InspectionFile', {}, true)
      await next(change('InspectionFile', failing, 'fail', { details: 'No degree in the period.' }))
      const generated = await create('InspectionFile', {}, true)
      await next(change('InspectionFile', generated, 'generate', { inspected_degrees: 3 }))
      await next(change('InspectionFile', generated, 'sign'))
      expect([...new Set(seen)].toSorted()).toEqual(Object.values(eventTypes).flat().toSorted())
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
      const begun = performance.now()
      await create('Degree')
      await json('POST', `${path}/test`, {})
      expect(performance.now() - begun).toBeLessThan(5000)
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
      const kinds = Object.keys(eventModels) as EventKind[]
      for (const kind of kinds) expect((await json('POST', `${path}/test`, { kind })).status).toBe(202)
      await arrived(receiver, kinds.length)
      for (const { type, data } of bodies(receiver))
        expect([type, Object.keys(data)]).toEqual([type, Object.keys(eventModels[kindOf(type)].properties)])
      await json('PUT', path, { enabled: false })
      expect((await json('POST', `${path}/test`, {})).body.code).toBe('webhook-disabled')
    })

    once('there is no list of what was sent', async () => {
      const { json, path, subscriptionId } = await school()
      for (const at of [`${path}/deliveries`, '/api/webhooks', `/api/subscriptions/${subscriptionId}/webhooks`])
        expect([at, (await json('GET', at)).body.code]).toEqual([at, 'unknown-route'])
    })
  })

  describe(`the retries of webhooks on ${database}`, () => {
    /** Lets the time of the service go on, and its sender see it. */
    const later = async ({ clock, store }: Awaited<ReturnType<typeof startPlatform>>, milliseconds: number) => {
      clock.advance(milliseconds)
      await store.notify(store.db, 'webhooks')
    }

    async function failing(answer: Parameters<typeof startReceiver>[0], settings = {}) {
      const world = await startPlatform(database, settings)
      const receiver = await startReceiver(answer)
      const organization = await organizationAt(world)
      const { id: instituteId } = await instituteOf(organization)
      const path = `/api/subscriptions/${organization.subscriptionId}/webhook`
      await organization.json('PUT', path, { enabled: true, url: receiver.url })
      return { world, receiver, path, ...organization, ...itemsAt(world, { ...organization, instituteId }) }
    }

    test('what is never taken is tried eleven times over some four and a half hours, and then no more', async () => {
      const { world, receiver, create } = await failing((_, response) => response.writeHead(500).end())
      await create('Degree')
      const begun = world.clock().getTime()
      const at: number[] = []
      for (let step = 0; step < 12 * 60 && at.length < 11; step++) {
        const before = receiver.received.length
        if (before > at.length) at.push(world.clock().getTime() - begun)
        await vi.waitFor(async () => expect(await dueNow(world)).toBe(false), soon)
        await later(world, 30 * SECOND)
      }
      expect(at).toHaveLength(11)
      expect(at.at(-1)).toBeGreaterThan(4 * HOUR)
      expect(at.at(-1)).toBeLessThan(5 * HOUR)
      await later(world, 12 * HOUR)
      await quiet()
      expect(receiver.received).toHaveLength(11)
    })

    test('any 2xx confirms whatever its body says; 302, 400 and 410 do not', async () => {
      const statuses = [302, 400, 410, 204, 201, 299]
      const { world, receiver, create } = await failing((_, response) => {
        const status = statuses[receiver.received.length - 1]!
        const headers = { location: '/elsewhere' }
        response.writeHead(status, headers).end(status === 204 ? undefined : '{"error":"not accepted"}')
      })
      await create('Degree')
      for (let tries = 1; tries <= 4; tries++) {
        await arrived(receiver, tries)
        await vi.waitFor(async () => expect(await dueNow(world)).toBe(false), soon)
        await later(world, 10 * MINUTE)
      }
      await create('Curriculum')
      await arrived(receiver, 5)
      await create('Curriculum')
      await arrived(receiver, 6)
      await later(world, 12 * HOUR)
      await quiet()
      expect(receiver.received.map(({ path: at }) => at)).toEqual(Array.from({ length: 6 }, () => '/hook'))
    })

    test('a retry tells of the item as it is then, at the address and with the token of then', async () => {
      const { world, receiver, create, change, json, path } = await failing((_, response) =>
        response.writeHead(503).end(),
      )
      const id = await create('AcademicTranscript')
      await arrived(receiver, 1)
      await vi.waitFor(async () => expect(await dueNow(world)).toBe(false), soon)
      const mended = await startReceiver()
      await json('PUT', path, { enabled: true, url: mended.url, authType: 'Bearer', token: 'new' })
      await change('AcademicTranscript', id, 'conclude')
      await arrived(mended, 1)
      await later(world, 10 * MINUTE)
      await arrived(mended, 2)
      expect(types(receiver)).toEqual(['AcademicTranscriptCreated'])
      expect(types(mended)).toEqual(['AcademicTranscriptConcluded', 'AcademicTranscriptConcluded'])
      expect(mended.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer new', 'Bearer new'])
    })

    test('a receiver that does not answer in time, and one that is not there, are tried again', async () => {
      const { world, receiver, create, json, path } = await failing(
        (_, response) => (receiver.received.length > 1 ? response.end() : undefined),
        { Webhooks: { AllowedHosts: ['127.0.0.1/32'], TimeoutSeconds: 1 } },
      )
      await create('Degree')
      await arrived(receiver, 1)
      await vi.waitFor(async () => expect(await failures(world)).toBe(1), soon)
      await later(world, 10 * MINUTE)
      await arrived(receiver, 2)
      await json('PUT', path, { enabled: true, url: 'http://127.0.0.1:9/hook' })
      await create('Curriculum')
      await vi.waitFor(async () => expect(await failures(world)).toBe(2), soon)
      await json('PUT', path, { enabled: true, url: receiver.url })
      await later(world, 10 * MINUTE)
      await arrived(receiver, 3)
      expect(types(receiver)).toEqual(['DegreeCreated', 'DegreeCreated', 'CurriculumCreated'])
    })

    test('events of restamps are not sent unless the instance says so', async () => {
      const { receiver, create, json } = await failing((_, response) => response.end())
      const id = await create('Restamp')
      const again = await json('POST', '/api/webhooks/resend', { kind: 'Restamp', ids: [id] })
      expect(again.body.code).toBe('webhook-disabled')
      await create('Degree')
      await arrived(receiver, 1)
      await quiet()
      expect(types(receiver)).toEqual(['DegreeCreated'])
    })
  })
}

/** The kind of a type; that of an emission's registration before that of the emission. */
function kindOf(type: string): EventKind {
  const entries = Object.entries(eventTypes) as [EventKind, readonly string[]][]
  return entries.find(([, names]) => names.includes(type))![0]
}

type Step = readonly [name: string, set?: object]

/** Lives that show every type of a kind, but for those that begin with something nobody is told of. */
const lives: readonly (readonly [kind: EventKind, made: object, ...steps: Step[]])[] = [
  [
    'Degree',
    {},
    ['closeDocumentation'],
    ['conclude'],
    ['suspend', { reason: 'Em análise' }],
    ['restore', { was_restored: 1 }],
    ['annul', { cancellation_reason: 'ErroDeFato' }],
  ],
  ['Emission', {}, ['sign'], ['send'], ['register']],
  ['Emission', {}, ['cancel']],
  ['Registration', {}, ['accept'], ['approve'], ['register'], ['sign'], ['annul']],
  ['Registration', {}, ['reject']],
  ['AcademicTranscript', {}, ['conclude'], ['suspend'], ['restore'], ['cancel']],
  ['Curriculum', {}, ['conclude'], ['cancel']],
  ['CancellationList', {}, ['sign']],
  ['Restamp', {}, ['update', { updates: 1 }], ['fail', { error_reason: 'No timestamp.' }], ['retry'], ['apply']],
]

/** What the registrar does with requests, by the state they begin in. */
const mirror = {
  AwaitingAcceptance: ['accept', 'approve', 'register'],
  Accepted: ['reject'],
  Approved: ['cancel'],
} as const

type World = Awaited<ReturnType<typeof startPlatform>>

interface Waiting {
  readonly state: string
  readonly due_at: string
  readonly attempts: number
}

const deliveries = ({ store }: World) =>
  store.db
    .selectFrom('webhook_delivery' as never)
    .selectAll()
    .execute() as unknown as Promise<readonly Waiting[]>

const dueNow = async (world: World): Promise<boolean> => {
  const now = world.clock().toISOString()
  return (await deliveries(world)).some(({ state, due_at }) => state === 'waiting' && due_at <= now)
}

const failures = async (world: World): Promise<number> =>
  (await deliveries(world)).reduce((sum, { attempts, state }) => sum + attempts - Number(state === 'delivered'), 0)
