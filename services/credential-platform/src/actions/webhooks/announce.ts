import { emitEvents, type NewWebhookEvent } from '@chancela/outbox/webhooks'
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import { type EventKind, instituteEventKinds } from '../../contract/vocabulary.ts'
import type { Owner } from '../../store/items.ts'
import type { Tables } from '../../store/tables.ts'

/** An item that changed. */
export interface Changed {
  readonly kind: EventKind
  readonly item: Owner
}

/** The owner of the webhook that is told: the institution of its lists and inspection files, else the organization. */
const ownerOf = ({ kind, item }: Changed): string =>
  (instituteEventKinds as readonly EventKind[]).includes(kind) ? item.institute_id : item.subscription_id

/** Its body is made when it is sent, so that the event holds what it is about and nothing else. */
const queued = (changed: Changed): NewWebhookEvent => ({
  ownerId: ownerOf(changed),
  type: changed.kind,
  subject: changed.item.id,
  body: null,
})

/** Queues one delivery for every change, in the transaction of the change (credentials-platform facts 4.1, 4.2). */
export async function announce(
  { store, settings }: Pick<Context, 'store' | 'settings'>,
  tx: Transaction<Tables>,
  changes: readonly Changed[],
  now: Date,
): Promise<void> {
  const told = changes.filter(({ kind }) => kind !== 'Restamp' || settings.Webhooks.RestampEvents)
  await emitEvents(store, tx, told.map(queued), now)
}
