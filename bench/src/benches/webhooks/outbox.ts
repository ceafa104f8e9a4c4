import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import {
  createEndpoint,
  createWebhookSender,
  emitEvents,
  growingIntervals,
  type WebhookSender,
  type WebhookTables,
  webhookMigrations,
} from '@chancela/outbox/webhooks'
import { systemClock } from '@chancela/service-kernel/clock'
import { addressPolicy } from '@chancela/service-kernel/http-client'
import { openSecrets } from '@chancela/service-kernel/secrets'
import { migrate, openStore, type Store } from '@chancela/service-kernel/store'
import type { BenchScene } from '../../scene.ts'

/** Deliveries under way at once, for the engine and for the bare client. */
export const DEPTH = 64

/** What a notification about a document looks like. */
export const sampleBody = JSON.stringify({
  type: 'DocumentSigned',
  data: {
    id: '0190f3c2-7b5e-7000-8000-3f1d2c4b5a69',
    name: 'Contrato de prestação de serviços',
    creationDate: '2026-11-15T12:00:00.000Z',
    updateDate: '2026-11-15T12:00:10.000Z',
    folder: null,
    organization: { id: '0190f3c2-7b5e-7000-8000-3f1d2c4b5a70', name: 'ACME', identifier: null, owner: null },
    createdBy: { id: '0190f3c2-7b5e-7000-8000-3f1d2c4b5a71', name: 'Ana Souza' },
    signature: { flowActionId: '0190f3c2-7b5e-7000-8000-3f1d2c4b5a72', date: '2026-11-15T12:00:10.000Z', userId: null },
  },
})

/** A service's database with an outbox, and its sender. */
export interface Outbox {
  readonly store: Store<WebhookTables>
  /** Returns its id. */
  addEndpoint(ownerId: string, url: string): Promise<string>
  /** Writes as many events of an owner in one transaction. */
  emit(ownerId: string, count: number): Promise<void>
  /** How many deliveries wait for an endpoint. */
  waiting(endpointId: string): Promise<number>
  clear(): Promise<void>
  sender(): WebhookSender
  close(): Promise<void>
}

export type OpenOutbox = () => Promise<Outbox>

/** Both databases, each call a fresh one. */
export const outboxes = (scene: BenchScene): Readonly<Record<'sqlite' | 'postgres', OpenOutbox>> => ({
  sqlite: async () => {
    const name = freshName()
    return openOutbox(`sqlite:${join(scene.folder, `${name}.db`)}`, name)
  },
  postgres: async () => openOutbox((await scene.postgres()).url, freshName()),
})

const freshName = (): string => `hooks-${randomBytes(6).toString('hex')}`

async function openOutbox(url: string, service: string): Promise<Outbox> {
  const store = await openStore<WebhookTables>({ url, service })
  await migrate(store, { webhooks: webhookMigrations })
  const secrets = openSecrets({ service, masterKeyFile: '', masterKey: randomBytes(32).toString('base64') })
  return {
    store,
    addEndpoint: async (ownerId, target) => {
      const settings = { url: target, authType: 'Bearer', token: 'token', concurrency: DEPTH } as const
      return (await createEndpoint(store.db, secrets, ownerId, settings, systemClock())).id
    },
    emit: (ownerId, count) =>
      store.transaction((tx) => {
        const events = Array.from({ length: count }, (_, n) => ({
          ownerId,
          type: 'DocumentSigned',
          subject: String(n),
          body: sampleBody,
        }))
        return emitEvents(store, tx, events, systemClock())
      }),
    waiting: async (endpointId) => {
      const { n } = await store.db
        .selectFrom('webhook_delivery')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('endpoint_id', '=', endpointId)
        .where('state', '=', 'waiting')
        .executeTakeFirstOrThrow()
      return n
    },
    clear: async () => {
      for (const table of ['webhook_attempt', 'webhook_delivery', 'webhook_event', 'webhook_endpoint'] as const)
        await store.db.deleteFrom(table).execute()
    },
    sender: () =>
      createWebhookSender<WebhookTables>({
        store,
        clock: systemClock,
        secrets,
        policy: addressPolicy({ allowed: ['127.0.0.1'] }),
        schedule: growingIntervals(10),
      }),
    close: () => store.close(),
  }
}

/** Deliveries that wait for each second of a turn: more than any contestant can send. */
const WAITING_PER_SECOND = 16_000
const EMITTED_AT_ONCE = 5_000

/** Fills an endpoint's queue so that it lasts for a sample. */
export async function fillLine(outbox: Outbox, ownerId: string, endpointId: string, forMs: number): Promise<void> {
  const wanted = Math.ceil((WAITING_PER_SECOND * forMs) / 1000)
  for (let left = wanted - (await outbox.waiting(endpointId)); left > 0; left -= EMITTED_AT_ONCE)
    await outbox.emit(ownerId, Math.min(left, EMITTED_AT_ONCE))
}

const DEAD_WAITING = 20

/** Adds endpoints that refuse every connection at once, each with deliveries that wait. */
export async function addDead(outbox: Outbox, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    await outbox.addEndpoint(`dead-${n}`, `http://127.0.0.1:1/${n}`)
    await outbox.emit(`dead-${n}`, DEAD_WAITING)
  }
}

/** Facts about dead endpoints for a reader. */
export const deadNote = `a dead endpoint refuses the connection at once; each has ${DEAD_WAITING} deliveries waiting when the turn begins`
