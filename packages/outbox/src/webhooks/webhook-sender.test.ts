import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { DAY, HOUR, MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { addressPolicy } from '@chancela/service-kernel/http-client'
import { createMetrics, defineMetrics } from '@chancela/service-kernel/metrics'
import { testStores } from '@chancela/testkit/stores'
import { Webhook } from 'standardwebhooks'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  deleteEndpoint,
  endpointsOf,
  purgeDeliveries,
  replayDeliveries,
  replayMissing,
  rotateSecret,
  setEndpointState,
  updateEndpoint,
  webhookMetricTable,
} from './index.ts'
import { OWNER, startReceiver, webhookWorld } from './test-support/webhook-world.ts'

const soon = { interval: 10 }

for (const [name, open] of Object.entries(testStores)) {
  describe(`a webhook sender on ${name}`, () => {
    test('posts the exact bytes once to every endpoint, and records the attempt', async () => {
      const world = await webhookWorld(open)
      const [one, two] = [await startReceiver(), await startReceiver()]
      await world.endpoint({ url: one.url })
      await world.endpoint({ url: two.url })
      world.start()
      const body = '{"type":"DocumentSigned","data":{"name":"Contrato de adesão — açaí"}}'
      await world.emit({ body })
      await expect
        .poll(async () => (await world.deliveries()).map(({ state }) => state), soon)
        .toEqual(['delivered', 'delivered'])
      for (const { received } of [one, two]) {
        expect(received.map((request) => request.body)).toEqual([body])
        expect(received[0]!.headers['content-type']).toBe('application/json; charset=utf-8')
      }
      expect(await world.attempts()).toMatchObject([
        { status: 200, error: null },
        { status: 200, error: null },
      ])
    })

    test('an event of a change that was rolled back was never there', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver()
      await world.endpoint({ url: receiver.url })
      await expect(
        world.store.transaction(async () => {
          throw new Error('The change failed.')
        }),
      ).rejects.toThrow('The change failed.')
      expect(await world.deliveries()).toEqual([])
    })

    test.each([
      ['NoAuth', null, {}],
      ['Basic', 'dXNlcjpwYXNz', { authorization: 'Basic dXNlcjpwYXNz' }],
      ['Bearer', 'a token', { authorization: 'Bearer a token' }],
      ['ApiKey', 'a key', { 'x-api-key': 'a key' }],
    ] as const)('%s sends the token exactly as registered', async (authType, token, headers) => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver()
      await world.endpoint({ url: receiver.url, authType, token })
      world.start()
      await world.emit({})
      await expect.poll(() => receiver.received.length, soon).toBe(1)
      const { authorization, 'x-api-key': key } = receiver.received[0]!.headers
      expect({ ...(authorization && { authorization }), ...(key && { 'x-api-key': key }) }).toEqual(headers)
    })

    test('signs as the Standard Webhooks scheme says, with both secrets for a day after a rotation', async () => {
      const world = await webhookWorld(open)
      world.clock.set(new Date())
      const receiver = await startReceiver()
      const { id, secret } = await world.endpoint({ url: receiver.url })
      const newer = await rotateSecret(world.store.db, world.secrets, { ownerId: OWNER, id }, world.clock())
      world.start()
      await world.emit({})
      await expect.poll(() => receiver.received.length, soon).toBe(1)
      const { body, headers } = receiver.received[0]!
      for (const known of [secret, newer!])
        expect(new Webhook(known).verify(body, headers as Record<string, string>)).toEqual({ type: 'DocumentSigned' })
      const other = `whsec_${Buffer.alloc(32).toString('base64')}`
      expect(() => new Webhook(other).verify(body, headers as Record<string, string>)).toThrow()
      await expect.poll(async () => (await world.deliveries())[0]!.state, soon).toBe('delivered')
      world.clock.advance(DAY + SECOND)
      await world.emit({})
      await expect.poll(() => receiver.received.length, soon).toBe(2)
      expect(receiver.received[1]!.headers['webhook-signature']).not.toContain(' ')
    })

    test('tries again at growing intervals with the same id and bytes, and gives up after ten attempts', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver((_, response) => response.writeHead(500).end('it broke'))
      await world.endpoint({ url: receiver.url })
      const { sender } = world.start({ failures: { opensAfter: 100 } })
      await world.emit({})
      for (let attempt = 1; attempt <= 10; attempt += 1) {
        await expect.poll(async () => (await world.attempts()).length, soon).toBe(attempt)
        world.clock.advance(2 * HOUR)
        sender.wake()
      }
      expect(await world.deliveries()).toMatchObject([{ state: 'failed', attempts: 10, last_status: 500 }])
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
      expect((await world.attempts())[0]).toMatchObject({ answer: 'it broke', error: 'The receiver answered 500.' })
    })

    test('waits as long as Retry-After asks, and takes a redirect for a failure', async () => {
      const world = await webhookWorld(open)
      const answers = [
        { status: 429, headers: { 'retry-after': '600' } },
        { status: 302, headers: { location: 'http://127.0.0.1:1/elsewhere' } },
      ]
      const receiver = await startReceiver((_, response) => {
        const { status, headers } = answers.shift() ?? { status: 200, headers: {} }
        response.writeHead(status, headers).end()
      })
      await world.endpoint({ url: receiver.url })
      world.start()
      await world.emit({})
      await expect.poll(async () => (await world.attempts()).length, soon).toBe(1)
      const [waiting] = await world.deliveries()
      expect(Date.parse(waiting!.due_at) - world.clock().getTime()).toBe(600 * SECOND)
      world.clock.advance(600 * SECOND)
      await expect.poll(async () => (await world.attempts()).map(({ status }) => status), soon).toEqual([429, 302])
      world.clock.advance(HOUR)
      await expect.poll(async () => (await world.deliveries())[0]!.state, soon).toBe('delivered')
    })

    test('each wait is longer than the one before, also where the receiver asks for patience', async () => {
      const world = await webhookWorld(open)
      const answers = [
        { status: 503 },
        { status: 503 },
        { status: 429, after: '400' },
        { status: 500 },
        { status: 503 },
      ]
      const receiver = await startReceiver((_, response) => {
        const { status, after } = { after: undefined, ...answers.shift()! }
        response.writeHead(status, after === undefined ? {} : { 'retry-after': after }).end()
      })
      await world.endpoint({ url: receiver.url })
      const { sender } = world.start({ failures: { opensAfter: 100 } })
      await world.emit({})
      const waits: number[] = []
      for (let attempt = 1; attempt <= 5; attempt += 1) {
        await expect.poll(async () => (await world.attempts()).length, soon).toBe(attempt)
        const [{ due_at } = { due_at: '' }] = await world.deliveries()
        waits.push(Date.parse(due_at) - world.clock().getTime())
        world.clock.set(new Date(due_at))
        sender.wake()
      }
      expect(waits[2]).toBe(400 * SECOND)
      expect(waits).toEqual([...new Set(waits)].sort((a, b) => a - b))
    })

    test('a receiver that answers 410 is tried again like any other, and gets everything once it is there', async () => {
      const world = await webhookWorld(open)
      let isGone = true
      const receiver = await startReceiver((_, response) => response.writeHead(isGone ? 410 : 200).end())
      await world.endpoint({ url: receiver.url, concurrency: 1 })
      const { sender } = world.start()
      await world.emit({ body: '1' }, { body: '2', subject: 'd2' }, { body: '3', subject: 'd3' })
      await expect.poll(() => receiver.received.length, soon).toBe(3)
      await expect.poll(async () => (await world.deliveries()).map(({ attempts }) => attempts), soon).toEqual([1, 1, 1])
      expect((await world.deliveries()).map(({ state }) => state)).toEqual(Array(3).fill('waiting'))
      expect((await endpointsOf(world.store.db, OWNER))[0]).toMatchObject({ state: 'enabled', failures: 3 })
      await world.emit({ body: '4', subject: 'd4' })
      isGone = false
      world.clock.advance(MINUTE)
      sender.wake()
      await expect.poll(world.undelivered, soon).toBe(0)
    })

    test('an endpoint whose every attempt fails for weeks is not given up', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver((_, response) => response.writeHead(500).end())
      await world.endpoint({ url: receiver.url })
      const { sender } = world.start()
      for (let event = 1; event <= 3; event += 1) {
        await world.emit({ subject: `d${event}` })
        for (let attempt = 1; attempt <= 10; attempt += 1) {
          await expect.poll(() => receiver.received.length, soon).toBe((event - 1) * 10 + attempt)
          await expect.poll(async () => (await world.deliveries()).at(-1)!.attempts, soon).toBe(attempt)
          world.clock.advance(DAY)
          sender.wake()
        }
      }
      expect((await world.deliveries()).map(({ state, attempts }) => [state, attempts])).toEqual(
        Array(3).fill(['failed', 10]),
      )
      expect((await endpointsOf(world.store.db, OWNER))[0]).toMatchObject({ state: 'enabled', failures: 30 })
    })

    test.each([
      ['is gone', { disablesOnGone: true }, 410, 1],
      ['only fails', { disablesAfterHours: 120, disablesAfter: 4 }, 500, 3],
    ])('a service may want a receiver disabled that %s; what it did not get is sent later', async (...given) => {
      const [, failures, status, attempts] = given
      const world = await webhookWorld(open)
      let works = false
      const receiver = await startReceiver((_, response) => response.writeHead(works ? 200 : status).end())
      const told: { id: string }[] = []
      const { id } = await world.endpoint({ url: receiver.url, concurrency: 1 })
      const { sender } = world.start({ failures, onDisabled: (endpoint) => told.push(endpoint) })
      const bodies = ['1', '2', '3']
      await world.emit(...bodies.map((body) => ({ body, subject: body })))
      await expect.poll(async () => (await world.attempts()).length, soon).toBe(attempts)
      world.clock.advance(121 * HOUR)
      sender.wake()
      await expect.poll(() => told.map((one) => one.id), soon).toEqual([id])
      expect((await world.deliveries()).map(({ state }) => state)).toEqual(Array(3).fill('canceled'))
      await world.emit({ body: '4', subject: 'd4' })
      works = true
      const endpoint = { ownerId: OWNER, id }
      await updateEndpoint(world.store.db, world.secrets, endpoint, { url: receiver.url }, world.clock())
      const missed = world.store.transaction((tx) => replayMissing(world.store, tx, endpoint, null, world.clock()))
      expect(await missed).toBe(4)
      await expect.poll(() => receiver.received.slice(-4).map(({ body }) => body), soon).toEqual([...bodies, '4'])
    })

    test('an endpoint that is changed is enabled again where it was disabled, and stays paused', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver()
      const { id } = await world.endpoint({ url: 'http://127.0.0.1:1/' })
      const name = { ownerId: OWNER, id }
      const change = () => updateEndpoint(world.store.db, world.secrets, name, { url: receiver.url }, world.clock())
      await setEndpointState(world.store.db, name, 'disabled', 'It was off.', world.clock())
      expect(await change()).toBe(true)
      expect(await endpointsOf(world.store.db, OWNER)).toMatchObject([
        { state: 'enabled', stateReason: null, failures: 0, openUntil: null },
      ])
      world.start()
      await world.emit({ body: '1' })
      await expect.poll(() => receiver.received.map(({ body }) => body), soon).toEqual(['1'])
      await setEndpointState(world.store.db, name, 'paused', null, world.clock())
      await change()
      expect((await endpointsOf(world.store.db, OWNER))[0]!.state).toBe('paused')
    })

    test('what a change does not name stays as it is', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver()
      const kept = { authType: 'Bearer', eventTypes: ['DocumentSigned'], groups: ['g'], ordered: true } as const
      const { id } = await world.endpoint({
        url: 'http://127.0.0.1:1/',
        token: 'kept',
        perSecond: 5,
        concurrency: 3,
        ...kept,
      })
      const name = { ownerId: OWNER, id }
      await updateEndpoint(world.store.db, world.secrets, name, { url: receiver.url }, world.clock())
      expect(await endpointsOf(world.store.db, OWNER)).toMatchObject([
        { url: receiver.url, hasToken: true, perSecond: 5, concurrency: 3, ...kept },
      ])
      world.start()
      await world.emit({ groups: ['g'] })
      await expect.poll(() => receiver.received[0]?.headers.authorization, soon).toBe('Bearer kept')
      const bare = {
        authType: 'NoAuth',
        token: null,
        eventTypes: [],
        groups: [],
        ordered: false,
        perSecond: null,
      } as const
      await updateEndpoint(world.store.db, world.secrets, name, bare, world.clock())
      expect(await endpointsOf(world.store.db, OWNER)).toMatchObject([
        { authType: 'NoAuth', hasToken: false, eventTypes: null, groups: null, ordered: false, perSecond: null },
      ])
    })

    test('after failures in a row attempts pause, one goes ahead, and a success lets the others follow', async () => {
      const world = await webhookWorld(open)
      let works = false
      const receiver = await startReceiver((_, response) => response.writeHead(works ? 200 : 503).end())
      await world.endpoint({ url: receiver.url, concurrency: 4 })
      world.start({ failures: { opensAfter: 3, firstPause: 3600 } })
      await world.emit(...Array.from({ length: 20 }, (_, n) => ({ subject: `d${n}` })))
      await expect.poll(async () => (await endpointsOf(world.store.db, OWNER))[0]!.openUntil, soon).not.toBeNull()
      const before = receiver.received.length
      world.clock.advance(10 * MINUTE)
      await new Promise((resolve) => setTimeout(resolve, 200))
      expect(receiver.received.length).toBe(before)
      works = true
      world.clock.advance(3 * HOUR)
      await expect
        .poll(async () => (await world.deliveries()).every(({ state }) => state === 'delivered'), soon)
        .toBe(true)
      expect((await endpointsOf(world.store.db, OWNER))[0]).toMatchObject({
        failures: 0,
        openUntil: null,
        failingSince: null,
      })
    })

    test('endpoints that never answer keep no other one waiting', async () => {
      const world = await webhookWorld(open)
      const silent = createServer(() => {})
      silent.listen(0, '127.0.0.1')
      await once(silent, 'listening')
      onTestFinished(() => void silent.close())
      const never = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
      for (let n = 0; n < 20; n += 1) await world.endpoint({ url: `${never}${n}` })
      const receiver = await startReceiver()
      await world.endpoint({ url: receiver.url })
      world.start({ timeoutMs: 120_000, concurrency: 4 })
      await world.emit(...Array.from({ length: 100 }, (_, n) => ({ subject: `d${n}` })))
      await expect.poll(() => receiver.received.length, soon).toBe(100)
    })

    test('endpoints that answer take turns where the sender has less room than they ask for', async () => {
      const world = await webhookWorld(open)
      const receivers = [await startReceiver(), await startReceiver(), await startReceiver()]
      for (const { url } of receivers) await world.endpoint({ url })
      world.start({ concurrency: 1 })
      await world.emit(...Array.from({ length: 10 }, (_, n) => ({ subject: `d${n}` })))
      await expect.poll(() => receivers.map(({ received }) => received.length), soon).toEqual([10, 10, 10])
    })

    test('of an answer without end the beginning is read', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver((_, response) => {
        response.writeHead(200)
        const more = () => {
          if (!response.destroyed && response.write(Buffer.alloc(65_536, 'x'))) setImmediate(more)
          else response.once('drain', more)
        }
        more()
      })
      await world.endpoint({ url: receiver.url })
      world.start({ timeoutMs: 60_000 })
      await world.emit({})
      await expect.poll(async () => (await world.deliveries())[0]!.state, soon).toBe('delivered')
      expect((await world.attempts())[0]!.answer).toHaveLength(2_000)
    })

    test.each([
      ['breaks off', 'abc', true],
      ['never ends', 'abc', false],
      ['never begins', '', false],
    ])('a 2xx whose body %s confirms, and what came of it is in the log', async (_, came, ends) => {
      const world = await webhookWorld(open)
      const receiver = createServer((socket) => {
        socket.once('data', () => {
          socket.write(`HTTP/1.1 202 Accepted\r\ncontent-length: 100\r\n\r\n${came}`)
          if (ends) socket.end()
        })
        socket.on('error', () => {})
      })
      receiver.listen(0, '127.0.0.1')
      await once(receiver, 'listening')
      onTestFinished(() => void receiver.close())
      await world.endpoint({ url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/` })
      world.start({ timeoutMs: 600_000 })
      await world.emit({})
      await expect.poll(async () => (await world.deliveries())[0]!.state, soon).toBe('delivered')
      expect(await world.attempts()).toMatchObject([{ number: 1, status: 202, error: null, answer: came }])
    })

    test('a failure whose body never ends is told by its status', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver((_, response) => {
        response.writeHead(500).write('it broke')
      })
      await world.endpoint({ url: receiver.url })
      world.start({ timeoutMs: 600_000 })
      await world.emit({})
      await expect.poll(async () => (await world.attempts()).length, soon).toBe(1)
      expect(await world.attempts()).toMatchObject([{ status: 500, answer: 'it broke' }])
    })

    test('an ordered endpoint gets the events of one subject one after the other, whatever fails in between', async () => {
      const world = await webhookWorld(open)
      const failed = new Set<string>()
      const receiver = await startReceiver(({ body }, response) => {
        const fails = !failed.has(body) && body.includes('"d1"')
        failed.add(body)
        response.writeHead(fails ? 500 : 200).end()
      })
      await world.endpoint({ url: receiver.url, ordered: true })
      world.start()
      const numbered = (subject: string, n: number) => ({ subject, body: JSON.stringify({ subject, n }) })
      await world.emit(...[1, 2, 3].flatMap((n) => [numbered('d1', n), numbered('d2', n)]))
      // Each event of d1 fails once and delays those after it; d2 continues meanwhile.
      for (const attempts of [4, 6, 8, 9]) {
        await expect.poll(async () => (await world.attempts()).length, soon).toBe(attempts)
        world.clock.advance(HOUR)
      }
      expect((await world.deliveries()).every(({ state }) => state === 'delivered')).toBe(true)
      const seen = receiver.received.map(({ body }) => JSON.parse(body) as { subject: string; n: number })
      for (const [subject, expected] of [
        ['d1', [1, 1, 2, 2, 3, 3]],
        ['d2', [1, 2, 3]],
      ] as const)
        expect(seen.filter((one) => one.subject === subject).map(({ n }) => n)).toEqual(expected)
    })

    test('what waits for an endpoint goes in order once this is asked for', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver(({ body }, response) => response.writeHead(body === '1' ? 500 : 200).end())
      const { id } = await world.endpoint({ url: receiver.url })
      await world.emit({ body: '1' }, { body: '2' }, { body: '3', subject: 'd2' })
      const settings = { url: receiver.url, authType: 'NoAuth', token: null, ordered: true } as const
      await updateEndpoint(world.store.db, world.secrets, { ownerId: OWNER, id }, settings, world.clock())
      world.start()
      await expect
        .poll(async () => (await world.deliveries()).map(({ state, attempts }) => [state, attempts]), soon)
        .toEqual([
          ['waiting', 1],
          ['waiting', 0],
          ['delivered', 1],
        ])
    })

    test('takes the types and groups it asked for, and nothing while it is disabled', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver()
      await world.endpoint({ url: receiver.url, eventTypes: ['DocumentConcluded'], groups: ['folder-1'] })
      world.start()
      await world.emit(
        { type: 'DocumentSigned', groups: ['folder-1'], body: '1' },
        { type: 'DocumentConcluded', groups: ['folder-2'], body: '2' },
        { type: 'DocumentConcluded', body: '3' },
        { type: 'DocumentConcluded', groups: ['folder-0', 'folder-1'], body: '4' },
        { type: 'DocumentConcluded', groups: ['folder-1'], ownerId: 'another', body: '5' },
      )
      await expect.poll(() => receiver.received.map(({ body }) => body), soon).toEqual(['4'])
    })

    test('a paused endpoint gets what waited when it is resumed', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver()
      const { id } = await world.endpoint({ url: receiver.url })
      await setEndpointState(world.store.db, { ownerId: OWNER, id }, 'paused', null, world.clock())
      world.start()
      await world.emit({})
      await new Promise((resolve) => setTimeout(resolve, 200))
      expect(receiver.received).toEqual([])
      await setEndpointState(world.store.db, { ownerId: OWNER, id }, 'enabled', null, world.clock())
      await expect.poll(() => receiver.received.length, soon).toBe(1)
    })

    test('what a sender had taken when it died is sent by the next one after its lease', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver()
      await world.endpoint({ url: receiver.url })
      await world.emit({})
      await world.store.db
        .updateTable('webhook_endpoint')
        .set({
          lease_holder: 'a dead sender',
          leased_until: new Date(world.clock().getTime() + MINUTE).toISOString(),
        })
        .execute()
      world.start()
      await new Promise((resolve) => setTimeout(resolve, 200))
      expect(receiver.received).toEqual([])
      world.clock.advance(MINUTE)
      await expect.poll(() => receiver.received.length, soon).toBe(1)
    })

    test('two senders on one store send each delivery once', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver()
      await world.endpoint({ url: receiver.url })
      world.start()
      world.start({ store: await world.store.reopen() })
      await world.emit(...Array.from({ length: 300 }, (_, n) => ({ subject: `d${n}`, body: `${n}` })))
      await expect.poll(world.undelivered, soon).toBe(0)
      expect(receiver.received.map(({ body }) => Number(body)).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 300 }, (_, n) => n),
      )
    })

    test('a name that leads to a private address is refused when it is connected to', async () => {
      const world = await webhookWorld(open)
      await world.endpoint({ url: 'https://localhost/hook' })
      await world.endpoint({ url: 'https://127.0.0.1/hook' })
      world.start({ policy: addressPolicy() })
      await world.emit({})
      await expect.poll(async () => (await world.attempts()).map(({ error }) => error), soon).toHaveLength(2)
      for (const { error, status } of await world.attempts()) {
        expect(error).toMatch(/is not a public address/)
        expect(status).toBeNull()
      }
    })

    test('renders a body when it is sent, keeps it with the attempt, and cancels what has nothing to tell any more', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver()
      await world.endpoint({ url: receiver.url })
      world.start({ render: async ({ subject }) => (subject === 'gone' ? undefined : `{"now":"${subject}"}`) })
      await world.emit({ subject: 'here', body: null }, { subject: 'gone', body: null })
      await expect
        .poll(async () => (await world.deliveries()).map(({ state }) => state), soon)
        .toEqual(['delivered', 'canceled'])
      expect(receiver.received.map(({ body }) => body)).toEqual(['{"now":"here"}'])
      expect((await world.attempts())[0]).toMatchObject({ body: '{"now":"here"}' })
    })

    test('replays one, all failed of a time, and what an endpoint never got, with the same ids', async () => {
      const world = await webhookWorld(open)
      let works = false
      const receiver = await startReceiver((_, response) => response.writeHead(works ? 200 : 400).end())
      const { id } = await world.endpoint({ url: receiver.url })
      const { growingIntervals } = await import('./index.ts')
      world.start({ schedule: growingIntervals(1) })
      await world.emit({ subject: 'd1' }, { subject: 'd2' })
      await expect
        .poll(async () => (await world.deliveries()).map(({ state }) => state), soon)
        .toEqual(['failed', 'failed'])
      works = true
      const endpoint = { ownerId: OWNER, id }
      const failed = { states: ['failed'], from: new Date(0), to: new Date(world.clock().getTime() + 1) } as const
      expect(
        await world.store.transaction((tx) => replayDeliveries(world.store, tx, endpoint, failed, world.clock())),
      ).toBe(2)
      await expect
        .poll(async () => (await world.deliveries()).map(({ state }) => state), soon)
        .toEqual(['failed', 'failed', 'delivered', 'delivered'])
      const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
      expect(new Set(ids).size).toBe(2)
      const one = { deliveryIds: [(await world.deliveries())[3]!.id] }
      const foreign = { ownerId: 'another', id }
      expect(
        await world.store.transaction((tx) => replayDeliveries(world.store, tx, foreign, one, world.clock())),
      ).toBe(0)
      expect(
        await world.store.transaction((tx) => replayDeliveries(world.store, tx, endpoint, one, world.clock())),
      ).toBe(1)
      await expect.poll(() => receiver.received.length, soon).toBe(5)
      await setEndpointState(world.store.db, endpoint, 'disabled', null, world.clock())
      await world.emit({ subject: 'd3' })
      await setEndpointState(world.store.db, endpoint, 'enabled', null, world.clock())
      expect(
        await world.store.transaction((tx) => replayMissing(world.store, tx, endpoint, new Date(0), world.clock())),
      ).toBe(1)
      await expect.poll(() => receiver.received.length, soon).toBe(6)
    })

    test('deleting an endpoint cancels what waits; purging takes ended deliveries with their attempts and events', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver()
      const { id } = await world.endpoint({ url: receiver.url })
      world.start()
      await world.emit({})
      await expect.poll(async () => (await world.deliveries())[0]!.state, soon).toBe('delivered')
      await setEndpointState(world.store.db, { ownerId: OWNER, id }, 'paused', null, world.clock())
      await world.emit({ subject: 'd2' })
      expect(await deleteEndpoint(world.store.db, { ownerId: 'another', id }, world.clock())).toBe(false)
      expect(await deleteEndpoint(world.store.db, { ownerId: OWNER, id }, world.clock())).toBe(true)
      expect((await world.deliveries()).map(({ state }) => state)).toEqual(['delivered', 'canceled'])
      world.clock.advance(DAY)
      expect(await purgeDeliveries(world.store, { endedBefore: world.clock() })).toBe(2)
      expect([await world.deliveries(), await world.attempts()]).toEqual([[], []])
      expect(await world.store.db.selectFrom('webhook_event').selectAll().execute()).toEqual([])
    })

    test('a failing database loses nothing: what came of attempts is written when it is back', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver()
      await world.endpoint({ url: receiver.url })
      let down = false
      const store = {
        ...world.store,
        transaction: ((work) =>
          down
            ? Promise.reject(new Error('The database is away.'))
            : world.store.transaction(work)) as typeof world.store.transaction,
      }
      const { troubles } = world.start({ store })
      await world.emit({})
      await expect.poll(() => receiver.received.length, soon).toBe(1)
      down = true
      await world.emit({ subject: 'd2' })
      await expect.poll(() => troubles.length, soon).toBeGreaterThan(0)
      down = false
      await expect
        .poll(async () => (await world.deliveries()).map(({ state }) => state), soon)
        .toEqual(['delivered', 'delivered'])
    })

    test('what another sender ended meanwhile is counted once, although both had sent it', async () => {
      const world = await webhookWorld(open)
      const answers: (() => void)[] = []
      const receiver = await startReceiver((_, response) => {
        if (answers.push(() => response.end()) > 1) response.end()
      })
      await world.endpoint({ url: receiver.url })
      let cutOff = false
      const store = {
        ...world.store,
        transaction: ((work) =>
          cutOff
            ? Promise.reject(new Error('The database is away.'))
            : world.store.transaction(work)) as typeof world.store.transaction,
      }
      const { troubles } = world.start({ store })
      await world.emit({})
      await expect.poll(() => receiver.received.length, soon).toBe(1)
      cutOff = true
      world.clock.advance(MINUTE)
      world.start({ store: await world.store.reopen() })
      await expect.poll(() => receiver.received.length, soon).toBe(2)
      await expect.poll(async () => (await world.deliveries())[0]!.state, soon).toBe('delivered')
      answers[0]!()
      await expect.poll(() => troubles.length, soon).toBeGreaterThan(0)
      cutOff = false
      await world.emit({ subject: 'd2' })
      await expect
        .poll(async () => (await world.deliveries()).map(({ state }) => state), soon)
        .toEqual(['delivered', 'delivered'])
      expect(await world.deliveries()).toMatchObject([{ attempts: 1 }, { attempts: 1 }])
      expect(await world.attempts()).toHaveLength(2)
    })

    test('a sender that stops lets go of its lines, and another one goes on with them', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver()
      await world.endpoint({ url: receiver.url })
      const { sender } = world.start()
      await world.emit({ body: '1' })
      await expect.poll(async () => (await world.deliveries())[0]!.state, soon).toBe('delivered')
      await sender.stop()
      world.start({ store: await world.store.reopen() })
      await world.emit({ body: '2' })
      await expect.poll(() => receiver.received.map(({ body }) => body), soon).toEqual(['1', '2'])
    })

    test('what was written while its endpoint was being deleted is canceled', async () => {
      const world = await webhookWorld(open)
      const { id } = await world.endpoint({ url: 'http://127.0.0.1:1/' })
      await world.emit({})
      await world.store.db.deleteFrom('webhook_endpoint').where('id', '=', id).execute()
      world.start()
      await expect
        .poll(async () => (await world.deliveries())[0], soon)
        .toMatchObject({ state: 'canceled', last_error: 'The endpoint was deleted.' })
    })

    test('an endpoint that is changed is tried again at once, at its new address', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver()
      const { id } = await world.endpoint({ url: 'http://127.0.0.1:1/' })
      world.start({ failures: { opensAfter: 1 } })
      await world.emit({ body: '1' }, { body: '2' })
      await expect.poll(async () => (await endpointsOf(world.store.db, OWNER))[0]!.openUntil, soon).not.toBeNull()
      const settings = { url: receiver.url, authType: 'NoAuth', token: null } as const
      await updateEndpoint(world.store.db, world.secrets, { ownerId: OWNER, id }, settings, world.clock())
      await expect.poll(() => receiver.received.map(({ body }) => body), soon).toEqual(['2'])
      world.clock.advance(MINUTE)
      await expect.poll(() => receiver.received.map(({ body }) => body), soon).toEqual(['2', '1'])
    })

    test('an endpoint with a rate gets no more than it asked for', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver()
      await world.endpoint({ url: receiver.url, perSecond: 3 })
      const { sender } = world.start()
      await world.emit(...Array.from({ length: 10 }, (_, n) => ({ subject: `d${n}` })))
      for (const expected of [3, 6, 9, 10]) {
        await expect.poll(() => receiver.received.length, soon).toBe(expected)
        world.clock.advance(SECOND)
        sender.wake()
      }
    })

    test('tells how much waits, for how long, and how many breakers are open', async () => {
      const world = await webhookWorld(open)
      const registry = createMetrics({ service: 'test', version: '1' })
      const metrics = defineMetrics(registry.registry, webhookMetricTable)
      await world.endpoint({ url: 'http://127.0.0.1:1/' })
      world.start({ metrics, failures: { opensAfter: 1, firstPause: 600 } })
      await world.emit({}, {}, {})
      const metricLines = async () => {
        const text = await registry.text()
        const figure = (name: string) => Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1])
        return {
          waiting: figure('webhook_deliveries_waiting'),
          oldest: figure('webhook_oldest_waiting_seconds'),
          open: figure('webhook_breakers_open'),
          attempts: figure('webhook_attempt_duration_seconds_count'),
        }
      }
      await expect.poll(metricLines, soon).toEqual({ waiting: 3, oldest: 0, open: 1, attempts: 1 })
      world.clock.advance(MINUTE)
      expect(await metricLines()).toEqual({ waiting: 3, oldest: 60, open: 1, attempts: 1 })
    })
  })
}
