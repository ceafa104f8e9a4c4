import { randomBytes } from 'node:crypto'
import { systemClock } from '@chancela/service-kernel/clock'
import { openSecrets } from '@chancela/service-kernel/secrets'
import { migrate, openStore, type Store } from '@chancela/service-kernel/store'
import {
  addressPolicy,
  createEndpoint,
  createWebhookSender,
  emitEvents,
  growingIntervals,
  type WebhookSender,
  type WebhookTables,
  webhookMigrations,
} from '@chancela/service-kernel/webhooks'

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
  addEndpoint(ownerId: string, url: string): Promise<void>
  /** Writes as many events of an owner in one transaction. */
  emit(ownerId: string, count: number): Promise<void>
  delivered(): Promise<number>
  clear(): Promise<void>
  sender(): WebhookSender
  close(): Promise<void>
}

export async function openOutbox(url: string, service: string): Promise<Outbox> {
  const store = await openStore<WebhookTables>({ url, service })
  await migrate(store, { webhooks: webhookMigrations })
  const secrets = openSecrets({ service, masterKeyFile: '', masterKey: randomBytes(32).toString('base64') })
  return {
    store,
    addEndpoint: async (ownerId, target) => {
      const settings = { url: target, authType: 'Bearer', token: 'token', concurrency: DEPTH } as const
      await createEndpoint(store.db, secrets, ownerId, settings, systemClock())
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
    delivered: async () => {
      const { n } = await store.db
        .selectFrom('webhook_delivery')
        .select(({ fn }) => fn.countAll<number | string>().as('n'))
        .where('state', '=', 'delivered')
        .executeTakeFirstOrThrow()
      return Number(n)
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
