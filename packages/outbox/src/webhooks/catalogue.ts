// The catalogue of events, with samples for developers of receivers.
import { newRowId, type Store } from '@chancela/service-kernel/store'
import { WEBHOOK_CHANNEL } from './emit-events.ts'
import type { EndpointName } from './endpoints.ts'
import { insertDeliveries, insertEvents } from './line-statements.ts'
import { webhookTables } from './tables.ts'

/** One type of event. */
interface CataloguedEvent {
  /** When it is sent, in one sentence. */
  readonly description: string
  /** JSON Schema of the envelope's `data`. */
  readonly schema: object
  /** A `data` that matches the schema. */
  readonly sample: unknown
}

/** Every type of event a service sends. */
export type WebhookCatalogue = Readonly<Record<string, CataloguedEvent>>

/** The subject of samples: no document has this id. */
const TEST_SUBJECT = 'test'

/**
 * Sends a sample of an event to one endpoint, whatever types and groups it subscribes to, marked as a test in the log.
 * `envelope` is what the service puts around data. Undefined when the owner has no such endpoint, when it is disabled, or when there is no such type.
 */
export async function sendTestEvent<Tables>(
  store: Store<Tables>,
  catalogue: WebhookCatalogue,
  { ownerId, id }: EndpointName,
  type: string,
  now: Date,
  envelope: (type: string, sample: unknown) => object = (name, data) => ({ type: name, data }),
): Promise<{ readonly deliveryId: number; readonly eventId: string } | undefined> {
  const kind = Object.hasOwn(catalogue, type) ? catalogue[type] : undefined
  if (!kind) return undefined
  return store.transaction(async (tx) => {
    const endpoint = await webhookTables(tx)
      .selectFrom('webhook_endpoint')
      .select('id')
      .where('id', '=', id)
      .where('owner_id', '=', ownerId)
      .where('state', '!=', 'disabled')
      .executeTakeFirst()
    if (!endpoint) return undefined
    const eventId = newRowId(now)
    const at = now.toISOString()
    const body = JSON.stringify(envelope(type, kind.sample))
    await insertEvents(tx, [[eventId, ownerId, type, TEST_SUBJECT, null, 1, body, at]])
    const [row] = await insertDeliveries(tx, [[eventId, id, TEST_SUBJECT, type, 1, 0, at, at]])
    await store.notify(tx, WEBHOOK_CHANNEL)
    return { deliveryId: row!.id, eventId }
  })
}
