// What a subscription's webhook was sent: its log, sending again, giving up, and a sample to try it with.
import {
  cancelDeliveries,
  type Delivery,
  findDelivery,
  listDeliveries,
  replayDeliveries,
  replayMissing,
  rotateSecret,
  sendTestEvent,
  setEndpointState,
} from '@chancela/outbox/webhooks'
import { invalidField } from '@chancela/service-kernel/errors'
import {
  type DeliveriesQuery,
  type ReplayRequest,
  type WebhookView,
  webhookEventTypes,
  type webhookStates,
} from '../../contract/webhooks.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { sampleEvents } from '../../rules/sample-events.ts'
import type { Tables } from '../../store/tables.ts'
import { type Dependencies, readWebhook, requiredWebhook } from './subscription-webhook.ts'

export async function setState(
  dependencies: Dependencies,
  caller: Caller,
  id: string,
  state: (typeof webhookStates)[number],
  now: Date,
): Promise<WebhookView> {
  const { name } = await requiredWebhook(dependencies, caller, id)
  const reason = state === 'enabled' ? null : `${caller.application} ${state} it.`
  await dependencies.context.store.transaction((tx) => setEndpointState<Tables>(tx, name, state, reason, now))
  return readWebhook(dependencies, caller, id)
}

export async function rotate(dependencies: Dependencies, caller: Caller, id: string, now: Date) {
  const { name } = await requiredWebhook(dependencies, caller, id)
  const { store, secrets } = dependencies.context
  const secret = await store.transaction((tx) => rotateSecret<Tables>(tx, secrets, name, now))
  if (secret === undefined) throw refuse('EntityNotFound', { entity: 'Webhook', subscriptionId: id })
  return { secret }
}

export async function sendSample(dependencies: Dependencies, caller: Caller, id: string, now: Date) {
  const { name } = await requiredWebhook(dependencies, caller, id)
  const [type] = webhookEventTypes
  const envelope = (event: string, document: unknown) => ({ type: event, document })
  const sent = await sendTestEvent(dependencies.context.store, sampleEvents, name, type, now, envelope)
  if (!sent) throw refuse('WebhookDisabled', { subscriptionId: id })
  return { deliveryId: String(sent.deliveryId) }
}

export async function list(dependencies: Dependencies, caller: Caller, id: string, query: DeliveriesQuery) {
  const { name } = await requiredWebhook(dependencies, caller, id)
  const { state, documentId, since, until, cursor, limit = 50 } = query
  const found = await listDeliveries(dependencies.context.store.db, {
    ownerId: name.ownerId,
    endpointId: name.id,
    ...(state && { states: [state] }),
    ...(documentId && { subject: documentId.toLowerCase() }),
    ...(since && { from: dateOf(since, 'since') }),
    ...(until && { to: dateOf(until, 'until') }),
    ...(cursor !== undefined && { before: cursor }),
    limit: limit + 1,
  })
  const items = found.slice(0, limit)
  return { items: items.map(deliveryView), nextCursor: found.length > limit ? String(items.at(-1)!.id) : null }
}

export async function readOne(dependencies: Dependencies, caller: Caller, id: string, deliveryId: number) {
  const { name } = await requiredWebhook(dependencies, caller, id)
  const found = await findDelivery(dependencies.context.store.db, { ownerId: name.ownerId, id: deliveryId })
  if (found?.endpointId !== name.id) throw refuse('EntityNotFound', { entity: 'WebhookDelivery', id: deliveryId })
  const attemptLog = found.tries.map(({ at, duration_ms, status, error, body, answer }) => ({
    date: at,
    durationMs: duration_ms,
    status,
    error,
    // A sample is the same each time; the body of a document is written when it is sent.
    body: body ?? found.body,
    answer,
  }))
  return { ...deliveryView(found), attemptLog }
}

export async function replay(
  dependencies: Dependencies,
  caller: Caller,
  id: string,
  { deliveryIds, failedSince, missingSince, until }: ReplayRequest,
  now: Date,
) {
  const { endpoint, name } = await requiredWebhook(dependencies, caller, id)
  if (endpoint.state === 'disabled') throw refuse('WebhookDisabled', { subscriptionId: id })
  const { store } = dependencies.context
  const lost = failedSince && {
    states: ['failed', 'canceled'] as const,
    from: dateOf(failedSince, 'failedSince'),
    to: until ? dateOf(until, 'until') : now,
  }
  const missing = missingSince && dateOf(missingSince, 'missingSince')
  const scheduled = await store.transaction(async (tx) => {
    const some = deliveryIds ? await replayDeliveries<Tables>(store, tx, name, { deliveryIds }, now) : 0
    const failed = lost ? await replayDeliveries<Tables>(store, tx, name, lost, now) : 0
    return some + failed + (missing ? await replayMissing<Tables>(store, tx, name, missing, now) : 0)
  })
  return { scheduled }
}

export async function cancel(
  dependencies: Dependencies,
  caller: Caller,
  id: string,
  deliveryIds: readonly number[] | null | undefined,
  now: Date,
) {
  const { name } = await requiredWebhook(dependencies, caller, id)
  return { canceled: await cancelDeliveries(dependencies.context.store.db, name, deliveryIds ?? 'all', now) }
}

function dateOf(text: string, field: string): Date {
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) throw invalidField(field, 'is no date')
  return date
}

const deliveryView = (delivery: Delivery) => ({
  id: String(delivery.id),
  eventId: delivery.eventId,
  type: delivery.type,
  documentId: delivery.subject,
  state: delivery.state,
  isTest: delivery.isTest,
  attempts: delivery.attempts,
  nextAttempt: delivery.nextAttemptAt,
  creationDate: delivery.createdAt,
  endDate: delivery.finishedAt,
  lastStatus: delivery.lastStatus,
  lastError: delivery.lastError,
})
