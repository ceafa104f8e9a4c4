import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addressPolicy } from '@chancela/service-kernel/http-client'
import { openSecrets } from '@chancela/service-kernel/secrets'
import { testClock } from '@chancela/testkit/clock'
import type { TestStore } from '@chancela/testkit/stores'
import { onTestFinished } from 'vitest'
import {
  createEndpoint,
  createWebhookSender,
  type EndpointSettings,
  emitEvents,
  findDelivery,
  growingIntervals,
  type NewWebhookEvent,
  type SenderOptions,
  type WebhookTables,
} from '../index.ts'
import { webhookMigrations } from '../migrations.ts'

/** A request a receiver got. */
interface Received {
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly path: string
}

/** How a receiver answers; by default 200. */
type Answering = (request: Received, response: ServerResponse) => void

/** A real HTTP server that records its requests. */
export async function startReceiver(answer: Answering = (_, response) => response.end()) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const one = { headers: request.headers, body: Buffer.concat(pieces).toString('utf8'), path: request.url ?? '' }
    received.push(one)
    answer(one, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received }
}

export const OWNER = 'organization-1'

type Open = <Tables>(migrations: { webhooks: typeof webhookMigrations }) => Promise<TestStore<Tables>>

/** A store with the outbox, and senders that stop at the end of the test. */
export async function webhookWorld(open: Open) {
  const store = await open<WebhookTables>({ webhooks: webhookMigrations })
  const clock = testClock()
  const masterKey = randomBytes(32).toString('base64')
  const secrets = openSecrets({ service: 'test', masterKeyFile: '', masterKey })
  const endpoint = (settings: Partial<EndpointSettings> & Pick<EndpointSettings, 'url'>) =>
    createEndpoint(store.db, secrets, OWNER, { authType: 'NoAuth', token: null, ...settings }, clock())
  const emit = (...events: Partial<NewWebhookEvent>[]) =>
    store.transaction((tx) =>
      emitEvents(
        store,
        tx,
        events.map((event) => ({
          ownerId: OWNER,
          type: 'DocumentSigned',
          subject: 'd1',
          body: '{"type":"DocumentSigned"}',
          ...event,
        })),
        clock(),
      ),
    )
  const start = (options: Partial<SenderOptions<WebhookTables>> = {}) => {
    const troubles: unknown[] = []
    const sender = createWebhookSender<WebhookTables>({
      store,
      clock,
      secrets,
      policy: addressPolicy({ allowed: ['127.0.0.1'] }),
      schedule: growingIntervals(10),
      sweepMs: 50,
      onTrouble: (error) => troubles.push(error),
      ...options,
    })
    sender.start()
    onTestFinished(() => sender.stop(1_000))
    return { sender, troubles }
  }
  const deliveries = () => store.db.selectFrom('webhook_delivery').selectAll().orderBy('id').execute()
  const undelivered = async () => {
    const waiting = store.db.selectFrom('webhook_delivery').where('state', '!=', 'delivered')
    return Number((await waiting.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow()).count)
  }
  const attempts = async () => {
    const found = (await deliveries()).map(({ id }) => findDelivery(store.db, { ownerId: OWNER, id }))
    return (await Promise.all(found)).flatMap((delivery) => delivery?.tries ?? [])
  }
  return { store, clock, secrets, masterKey, endpoint, emit, start, deliveries, undelivered, attempts }
}
