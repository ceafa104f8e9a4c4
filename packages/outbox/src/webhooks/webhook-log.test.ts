import { DAY, HOUR, MINUTE } from '@chancela/service-kernel/clock'
import { testStores } from '@chancela/testkit/stores'
import { describe, expect, test } from 'vitest'
import {
  cancelDeliveries,
  createEndpoint,
  findDelivery,
  growingIntervals,
  listDeliveries,
  purgeDeliveries,
  type Replay,
  replayDeliveries,
  replayMissing,
  sendTestEvent,
  setEndpointState,
  type WebhookCatalogue,
} from './index.ts'
import { OWNER, startReceiver, webhookWorld } from './test-support/webhook-world.ts'

const soon = { interval: 10 }

const catalogue: WebhookCatalogue = {
  DocumentSigned: {
    description: 'A signer signed a document.',
    schema: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
    sample: { id: 'sample', name: 'Açaí.pdf' },
  },
}

type World = Awaited<ReturnType<typeof webhookWorld>>

const statesOf = async (world: World) =>
  (await world.deliveries()).filter(({ subject }) => subject !== 'witness').map(({ state }) => state)

/** Resolves when the sender has seen all changes made before. */
async function caughtUp(world: World): Promise<void> {
  const witness = await startReceiver()
  const settings = { url: witness.url, authType: 'NoAuth', token: null } as const
  await createEndpoint(world.store.db, world.secrets, 'witness', settings, world.clock())
  await world.emit({ ownerId: 'witness', subject: 'witness' })
  await expect.poll(() => witness.received.length, soon).toBe(1)
}

/** A receiver that answers on command. */
async function startGate() {
  const held: (() => void)[] = []
  let isOpen = true
  const receiver = await startReceiver((_, response) => {
    if (isOpen) response.end()
    else held.push(() => response.end())
  })
  return {
    ...receiver,
    hold: () => {
      isOpen = false
    },
    release: () => {
      isOpen = true
      for (const answer of held.splice(0)) answer()
    },
  }
}

for (const [name, open] of Object.entries(testStores)) {
  describe(`the log of deliveries on ${name}`, () => {
    test('a test event goes to one endpoint alone, whatever it takes, and is marked in the log', async () => {
      const world = await webhookWorld(open)
      const [one, two] = [await startReceiver(), await startReceiver()]
      const { id } = await world.endpoint({ url: one.url, eventTypes: ['DocumentConcluded'] })
      const other = await world.endpoint({ url: two.url })
      world.start()
      const sent = await sendTestEvent(world.store, catalogue, { ownerId: OWNER, id }, 'DocumentSigned', world.clock())
      await expect.poll(() => one.received.length, soon).toBe(1)
      expect(one.received[0]!.body).toBe('{"type":"DocumentSigned","data":{"id":"sample","name":"Açaí.pdf"}}')
      expect(one.received[0]!.headers['webhook-id']).toBe(sent!.eventId)
      await expect.poll(() => statesOf(world), soon).toEqual(['delivered'])
      const filter = { ownerId: OWNER, isTest: true }
      expect(await listDeliveries(world.store.db, filter)).toMatchObject([{ id: sent!.deliveryId, isTest: true }])
      expect(await listDeliveries(world.store.db, { ...filter, isTest: false })).toEqual([])
      const missing = await world.store.transaction((tx) =>
        replayMissing(world.store, tx, { ownerId: OWNER, id: other.id }, new Date(0), world.clock()),
      )
      expect(missing).toBe(0)
      expect(two.received).toEqual([])
    })

    test('no test event is made of an unknown type, for a foreign endpoint, or for a disabled one', async () => {
      const world = await webhookWorld(open)
      const { id } = await world.endpoint({ url: 'http://127.0.0.1:1/' })
      const ask = (ownerId: string, type: string) =>
        sendTestEvent(world.store, catalogue, { ownerId, id }, type, world.clock())
      expect(await ask(OWNER, 'toString')).toBeUndefined()
      expect(await ask('another', 'DocumentSigned')).toBeUndefined()
      await setEndpointState(world.store.db, { ownerId: OWNER, id }, 'disabled', null, world.clock())
      expect(await ask(OWNER, 'DocumentSigned')).toBeUndefined()
      expect(await world.deliveries()).toEqual([])
    })

    test('what is canceled is not sent, although the sender had read it already', async () => {
      const world = await webhookWorld(open)
      const gate = await startGate()
      const { id } = await world.endpoint({ url: gate.url, concurrency: 1 })
      world.start()
      await world.emit({ body: '0' })
      await expect.poll(() => statesOf(world), soon).toEqual(['delivered'])
      gate.hold()
      await world.emit({ body: '1' }, { body: '2' }, { body: '3' })
      await expect.poll(() => gate.received.length, soon).toBe(2)
      const [, , second, third] = await world.deliveries()
      const endpoint = { ownerId: OWNER, id }
      const cancel = (ownerId: string, which: readonly number[] | 'all') =>
        cancelDeliveries(world.store.db, { ownerId, id }, which, world.clock())
      expect(await cancel('another', [second!.id])).toBe(0)
      expect(await cancel(OWNER, [second!.id])).toBe(1)
      await caughtUp(world)
      gate.release()
      await expect.poll(() => statesOf(world), soon).toEqual(['delivered', 'delivered', 'canceled', 'delivered'])
      expect(gate.received.map(({ body }) => body)).toEqual(['0', '1', '3'])
      expect(await findDelivery(world.store.db, { ownerId: OWNER, id: third!.id })).toMatchObject({ body: '3' })
      await setEndpointState(world.store.db, endpoint, 'paused', null, world.clock())
      await world.emit({ body: '4' }, { body: '5' })
      expect(await cancel(OWNER, 'all')).toBe(2)
    })

    test('what was canceled while it was under way and arrived all the same is delivered', async () => {
      const world = await webhookWorld(open)
      const gate = await startGate()
      gate.hold()
      const { id } = await world.endpoint({ url: gate.url })
      world.start()
      await world.emit({})
      await expect.poll(() => gate.received.length, soon).toBe(1)
      expect(await cancelDeliveries(world.store.db, { ownerId: OWNER, id }, 'all', world.clock())).toBe(1)
      gate.release()
      await expect.poll(() => statesOf(world), soon).toEqual(['delivered'])
      expect(gate.received).toHaveLength(1)
    })

    test('a pause holds back what the sender had read already', async () => {
      const world = await webhookWorld(open)
      const gate = await startGate()
      const { id } = await world.endpoint({ url: gate.url, concurrency: 1 })
      world.start()
      await world.emit({ body: '0' })
      await expect.poll(() => statesOf(world), soon).toEqual(['delivered'])
      gate.hold()
      await world.emit({ body: '1' }, { body: '2' })
      await expect.poll(() => gate.received.length, soon).toBe(2)
      await setEndpointState(world.store.db, { ownerId: OWNER, id }, 'paused', null, world.clock())
      await caughtUp(world)
      gate.release()
      await expect.poll(() => statesOf(world), soon).toEqual(['delivered', 'delivered', 'waiting'])
      expect(gate.received).toHaveLength(2)
      await setEndpointState(world.store.db, { ownerId: OWNER, id }, 'enabled', null, world.clock())
      await expect.poll(() => gate.received.map(({ body }) => body), soon).toEqual(['0', '1', '2'])
    })

    test('a replay is spread over time and adds nothing that waits already', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver()
      const { id } = await world.endpoint({ url: receiver.url, concurrency: 64 })
      world.start()
      await world.emit(...Array.from({ length: 250 }, (_, n) => ({ subject: `d${n}` })))
      await expect.poll(world.undelivered, soon).toBe(0)
      const endpoint = { ownerId: OWNER, id }
      await setEndpointState(world.store.db, endpoint, 'paused', null, world.clock())
      const all = { states: ['delivered'], from: new Date(0), to: new Date(world.clock().getTime() + 1) } as const
      const replay = (most?: number) =>
        world.store.transaction((tx) => replayDeliveries(world.store, tx, endpoint, all, world.clock(), most))
      expect(await replay(240)).toBe(240)
      expect(await replay()).toBe(10)
      expect(await replay()).toBe(0)
      const due = (await world.deliveries()).slice(250, 490).map(({ due_at }) => due_at)
      expect([due[0], due[99], due[100], due[239]]).toEqual([
        '2026-03-02T12:00:00.000Z',
        '2026-03-02T12:00:00.000Z',
        '2026-03-02T12:00:01.000Z',
        '2026-03-02T12:00:02.000Z',
      ])
    })

    test('what is missing since its registration is what an endpoint takes and never got', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver()
      await world.endpoint({ url: 'http://127.0.0.1:1/' })
      await world.emit({ body: 'before it was there' })
      world.clock.advance(MINUTE)
      const { id } = await world.endpoint({ url: receiver.url, eventTypes: ['DocumentSigned'], groups: ['folder-1'] })
      const endpoint = { ownerId: OWNER, id }
      await setEndpointState(world.store.db, endpoint, 'disabled', null, world.clock())
      await world.emit(
        { body: '1', groups: ['folder-1'] },
        { body: '2', groups: ['folder-2'] },
        { body: '3', groups: ['folder-1'], type: 'DocumentConcluded' },
        { body: '4', groups: ['folder-0', 'folder-1'] },
      )
      await setEndpointState(world.store.db, endpoint, 'enabled', null, world.clock())
      const missing = () =>
        world.store.transaction((tx) => replayMissing(world.store, tx, endpoint, null, world.clock()))
      expect(await missing()).toBe(2)
      expect(await missing()).toBe(0)
      world.start()
      await expect.poll(() => receiver.received.map(({ body }) => body).sort(), soon).toEqual(['1', '4'])
    })

    test('what did not arrive is sent again once: what was canceled is, what has arrived since or waits is not', async () => {
      const world = await webhookWorld(open)
      let works = false
      const receiver = await startReceiver((_, response) => response.writeHead(works ? 200 : 500).end())
      const { id } = await world.endpoint({ url: receiver.url, concurrency: 1 })
      const endpoint = { ownerId: OWNER, id }
      world.start({ schedule: growingIntervals(1) })
      await world.emit({ body: '1' }, { body: '2' })
      await expect.poll(() => statesOf(world), soon).toEqual(['failed', 'failed'])
      await setEndpointState(world.store.db, endpoint, 'paused', null, world.clock())
      await world.emit({ body: '3' })
      await setEndpointState(world.store.db, endpoint, 'disabled', null, world.clock())
      expect(await statesOf(world)).toEqual(['failed', 'failed', 'canceled'])
      works = true
      await setEndpointState(world.store.db, endpoint, 'enabled', null, world.clock())
      const [first] = await world.deliveries()
      const all = { from: new Date(0), to: new Date(world.clock().getTime() + 1) }
      const replay = (what: Replay) =>
        world.store.transaction((tx) => replayDeliveries(world.store, tx, endpoint, what, world.clock()))
      const missing = () =>
        world.store.transaction((tx) => replayMissing(world.store, tx, endpoint, null, world.clock()))
      expect(await replay({ deliveryIds: [first!.id] })).toBe(1)
      await expect.poll(() => statesOf(world), soon).toEqual(['failed', 'failed', 'canceled', 'delivered'])
      await setEndpointState(world.store.db, endpoint, 'paused', null, world.clock())
      expect(await replay({ states: ['failed', 'canceled'], ...all })).toBe(2)
      expect(await missing()).toBe(0)
      await setEndpointState(world.store.db, endpoint, 'enabled', null, world.clock())
      await expect.poll(() => receiver.received.slice(2).map(({ body }) => body), soon).toEqual(['1', '2', '3'])
      await expect.poll(async () => (await statesOf(world)).includes('waiting'), soon).toBe(false)
      expect([await replay({ states: ['failed', 'canceled'], ...all }), await missing()]).toEqual([0, 0])
    })

    test('retention deletes by age and by number, never what waits, and events with their last delivery', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver()
      const { id } = await world.endpoint({ url: receiver.url, concurrency: 32 })
      const { sender } = world.start()
      await world.emit(...Array.from({ length: 250 }, (_, n) => ({ subject: `d${n}` })))
      await expect.poll(world.undelivered, soon).toBe(0)
      await sender.stop()
      world.clock.advance(DAY)
      await setEndpointState(world.store.db, { ownerId: OWNER, id }, 'paused', null, world.clock())
      await world.emit({ subject: 'waits' })
      const events = async () => (await world.store.db.selectFrom('webhook_event').selectAll().execute()).length
      const recently = new Date(world.clock().getTime() - 2 * DAY)
      expect(await purgeDeliveries(world.store, { endedBefore: recently })).toBe(0)
      expect(await purgeDeliveries(world.store, { endedBefore: recently, mostDeliveries: 21 })).toBe(230)
      expect([(await world.deliveries()).length, (await world.attempts()).length, await events()]).toEqual([21, 20, 21])
      world.clock.advance(HOUR)
      expect(await purgeDeliveries(world.store, { endedBefore: world.clock(), mostDeliveries: 0 })).toBe(20)
      expect(await world.deliveries()).toMatchObject([{ subject: 'waits', state: 'waiting' }])
      expect([(await world.attempts()).length, await events()]).toEqual([0, 1])
    })

    test('a purge that is told to stop ends after its bite', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver()
      await world.endpoint({ url: receiver.url, concurrency: 32 })
      world.start()
      await world.emit(...Array.from({ length: 210 }, (_, n) => ({ subject: `d${n}` })))
      await expect.poll(world.undelivered, soon).toBe(0)
      world.clock.advance(DAY)
      expect(await purgeDeliveries(world.store, { endedBefore: world.clock() }, AbortSignal.abort())).toBe(200)
    })

    test('is filtered by event and by subjects, and pages back from a delivery', async () => {
      const world = await webhookWorld(open)
      await world.endpoint({ url: 'http://127.0.0.1:1/' })
      await world.emit({ subject: 'd1' }, { subject: 'd2' }, { subject: 'd3' })
      const [first, second, third] = await world.deliveries()
      const ids = async (filter: object) =>
        (await listDeliveries(world.store.db, { ownerId: OWNER, ...filter })).map(({ id }) => id)
      expect(await ids({ eventId: second!.event_id })).toEqual([second!.id])
      expect(await ids({ subjects: ['d1', 'd3', 'd9'] })).toEqual([third!.id, first!.id])
      expect(await ids({ limit: 1 })).toEqual([third!.id])
      expect(await ids({ before: third!.id })).toEqual([second!.id, first!.id])
    })
  })
}
