// Telling of items again, and telling a sample of one.
import { endpointsOf, sendTestEvent } from '@chancela/outbox/webhooks'
import type { Context } from '../../context.ts'
import { type EventKind, instituteEventKinds } from '../../contract/vocabulary.ts'
import { refuse } from '../../rules/refuse.ts'
import { type Caller, requireOwn } from '../../rules/rights.ts'
import { sampleEvents, sampleType } from '../../rules/sample-events.ts'
import { ownersOf } from '../../store/items.ts'
import type { Tables } from '../../store/tables.ts'
import { record, recordAll } from '../tenants/acting.ts'
import { announce } from './announce.ts'

/** Items of others are unknown, and nothing is told of them. */
export async function resend(
  context: Context,
  caller: Caller,
  { kind, ids }: { readonly kind: EventKind; readonly ids: readonly string[] },
  now: Date,
) {
  const asked = [...new Set(ids.map((id) => id.trim().toLowerCase()))]
  const { store, settings } = context
  if (kind === 'Restamp' && !settings.Webhooks.RestampEvents) throw refuse('webhook-disabled', { kind })
  return store.transaction(async (tx) => {
    const items = await ownersOf(tx, kind, caller.subscriptionId, asked)
    await requireEnabled(tx, kind, caller, items)
    await announce(
      context,
      tx,
      items.map((item) => ({ kind, item })),
      now,
    )
    const acts = items.map(({ id }) => ({ type: 'WebhookResent', entity: { type: kind, id } }))
    await recordAll(tx, caller, acts, now)
    const known = new Set(items.map(({ id }) => id))
    return { scheduled: items.length, unknown: asked.filter((id) => !known.has(id)) }
  })
}

/** Nobody is told that something was sent where nothing can be. */
async function requireEnabled(
  tx: Parameters<typeof ownersOf>[0],
  kind: EventKind,
  { subscriptionId }: Caller,
  items: readonly { readonly institute_id: string }[],
): Promise<void> {
  const isInstitutes = (instituteEventKinds as readonly EventKind[]).includes(kind)
  const owners = isInstitutes ? [...new Set(items.map(({ institute_id }) => institute_id))] : [subscriptionId]
  for (const ownerId of owners) {
    const endpoints = await endpointsOf<Tables>(tx, ownerId)
    if (!endpoints.some(({ state }) => state !== 'disabled')) throw refuse('webhook-disabled', { ownerId })
  }
}

/** A sample of an event, to the webhook of the organization. */
export async function sendSample(
  context: Context,
  caller: Caller,
  id: string,
  kind: EventKind,
  now: Date,
): Promise<void> {
  const ownerId = requireOwn(caller, id)
  const [endpoint] = await endpointsOf(context.store.db, ownerId)
  const sent =
    endpoint &&
    (await sendTestEvent(context.store, sampleEvents(ownerId), { ownerId, id: endpoint.id }, sampleType(kind), now))
  if (!sent) throw refuse('webhook-disabled')
  const entity = { type: 'Subscription', id: ownerId }
  await record(context.store.db, caller, { type: 'WebhookTested', entity, data: { kind } }, now)
}
