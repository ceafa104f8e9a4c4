// Webhooks of an organization (spec 3 A): registration, delivery log, replay.
import {
  cancelDeliveries,
  createEndpoint,
  type Delivery,
  type DeliveryDetail,
  deleteEndpoint,
  type Endpoint,
  type EndpointChange,
  type EndpointName,
  type EndpointSettings,
  endpointsOf,
  findDelivery,
  listDeliveries,
  reasonInBoth,
  replayDeliveries,
  replayMissing,
  rotateSecret,
  sendTestEvent,
  setEndpointState,
  updateEndpoint,
  webhookReason,
} from '@chancela/outbox/webhooks'
import type { AddressPolicy } from '@chancela/service-kernel/http-client'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { AuditKind } from '../../contract/audit.ts'
import { eventCatalogue } from '../../contract/event-data.ts'
import type * as contract from '../../contract/webhooks.ts'
import { type Caller, requireOrganization } from '../../rules/caller.ts'
import { refuse } from '../../rules/refuse.ts'
import { webhookAuthentication } from '../../rules/webhook-authentication.ts'
import { findOrganization } from '../../store/organization-reads.ts'
import type { Tables } from '../../store/tables.ts'

type WebhookBody = Static<typeof contract.createWebhook.body>

/** Path parameters of every route for one webhook. */
interface WebhookPath {
  readonly orgId: string
  readonly webhookId: string
}

/** The webhooks of organizations; every method checks that the caller administers the organization. */
export class Webhooks {
  readonly #context: Context
  readonly #policy: AddressPolicy

  constructor(context: Context, policy: AddressPolicy) {
    this.#context = context
    this.#policy = policy
  }

  async create(caller: Caller, orgId: string, body: WebhookBody, now: Date) {
    const organization = await this.#administered(caller, orgId)
    if (organization.owner_id !== null) throw refuse('OperationNotSupportedInPersonalOrganizations')
    const settings = newEndpoint(this.#policy, body)
    const { store, secrets } = this.#context
    const limit = this.#context.settings.Webhooks.MaxWebhooksPerOrganization
    const { id, secret } = await store.transaction(async (tx) => {
      // The organization's row is the lock: it serializes concurrent registrations, so that the limit holds.
      await tx
        .updateTable('organization')
        .set({ time_zone: organization.time_zone })
        .where('id', '=', organization.id)
        .execute()
      if ((await endpointsOf<Tables>(tx, organization.id)).length >= limit)
        throw refuse('MaxWebhooksLimitReached', { limit })
      const made = await createEndpoint<Tables>(tx, secrets, organization.id, settings, now)
      const name = { ownerId: organization.id, id: made.id }
      await this.#record(tx, caller, 'WebhookCreated', name, { after: auditedOf(settings) }, now)
      return made
    })
    return { id, webhookId: id, secret }
  }

  async update(caller: Caller, path: WebhookPath, body: WebhookBody, now: Date): Promise<void> {
    const organization = await this.#administered(caller, path.orgId)
    if (organization.owner_id !== null) throw refuse('OperationNotSupportedInPersonalOrganizations')
    const { endpoint, name } = await this.#required(caller, path)
    const { store, secrets } = this.#context
    await store.transaction(async (tx) => {
      await updateEndpoint<Tables>(tx, secrets, name, endpointChange(this.#policy, body, endpoint), now)
      const after = (await endpointsOf<Tables>(tx, name.ownerId)).find(({ id }) => id === name.id)
      if (!after) throw refuse('WebhookNotFound', { id: path.webhookId })
      const change = { before: auditedOf(endpoint), after: auditedOf(after) }
      await this.#record(tx, caller, 'WebhookChanged', name, change, now)
    })
  }

  async delete(caller: Caller, path: WebhookPath, now: Date): Promise<void> {
    const { endpoint, name } = await this.#required(caller, path)
    await this.#context.store.transaction(async (tx) => {
      if (await deleteEndpoint<Tables>(tx, name, now))
        await this.#record(tx, caller, 'WebhookDeleted', name, { before: auditedOf(endpoint) }, now)
    })
  }

  async setState(caller: Caller, path: WebhookPath, state: Endpoint['state'], now: Date): Promise<void> {
    const { endpoint, name } = await this.#required(caller, path)
    const reason = state === 'enabled' ? null : webhookReason(`${state}-by`, { name: caller.name })
    await this.#context.store.transaction(async (tx) => {
      const change = { before: { state: endpoint.state }, after: { state } }
      if (await setEndpointState<Tables>(tx, name, state, reason, now))
        await this.#record(tx, caller, 'WebhookSwitched', name, change, now)
    })
  }

  async rotateSecret(caller: Caller, path: WebhookPath, now: Date): Promise<{ readonly secret: string }> {
    const { name } = await this.#required(caller, path)
    const { store, secrets } = this.#context
    const secret = await store.transaction(async (tx) => {
      const rotated = await rotateSecret<Tables>(tx, secrets, name, now)
      await this.#record(tx, caller, 'WebhookSecretRotated', name, {}, now)
      return rotated
    })
    return { secret: secret! }
  }

  async test(caller: Caller, path: WebhookPath, type: string, now: Date): Promise<{ readonly deliveryId: string }> {
    const { name } = await this.#required(caller, path)
    const sent = await sendTestEvent(this.#context.store, eventCatalogue, name, type, now)
    if (sent) {
      // The event has left its transaction: what follows tells of it.
      const after = { type, deliveryId: String(sent.deliveryId) }
      await this.#context.store.transaction((tx) => this.#record(tx, caller, 'WebhookTested', name, { after }, now))
      return { deliveryId: after.deliveryId }
    }
    // It is there and was sent nothing, or has gone meanwhile.
    await this.#required(caller, path)
    throw refuse('WebhookDisabled', { id: path.webhookId })
  }

  async deliveries(caller: Caller, path: WebhookPath, query: Static<typeof contract.listDeliveries.query>) {
    const { name } = await this.#required(caller, path)
    const limit = query.limit ?? 50
    const found = await listDeliveries(this.#context.store.db, {
      ownerId: name.ownerId,
      endpointId: name.id,
      ...(query.state && { states: [query.state] }),
      ...(query.type && { type: query.type }),
      ...(query.documentId && { subject: query.documentId.toLowerCase() }),
      ...(query.since && { from: dateOf(query.since, 'since') }),
      ...(query.until && { to: dateOf(query.until, 'until') }),
      ...(query.cursor && { before: numberOf(query.cursor) }),
      limit: limit + 1,
    })
    const items = found.slice(0, limit)
    return {
      items: items.map(deliveryView),
      nextCursor: found.length > limit ? String(items.at(-1)!.id) : null,
    }
  }

  async delivery(caller: Caller, path: WebhookPath & { readonly deliveryId: string }) {
    const { name } = await this.#required(caller, path)
    const found = await findDelivery(this.#context.store.db, { ownerId: name.ownerId, id: numberOf(path.deliveryId) })
    if (found?.endpointId !== name.id) throw refuse('WebhookDeliveryNotFound', { id: path.deliveryId })
    return { ...deliveryView(found), body: found.body, attemptLog: found.tries.map(attemptView) }
  }

  async replay(caller: Caller, path: WebhookPath, body: Static<typeof contract.resendDeliveries.body>, now: Date) {
    const { name, endpoint } = await this.#required(caller, path)
    if (endpoint.state === 'disabled') throw refuse('WebhookDisabled', { id: path.webhookId })
    const { store } = this.#context
    const until = body.until ? dateOf(body.until, 'until') : now
    const scheduled = await store.transaction(async (tx) => {
      let some = 0
      if (body.deliveryIds) {
        const deliveryIds = body.deliveryIds.map(numberOf)
        some += await replayDeliveries<Tables>(store, tx, name, { deliveryIds }, now)
      }
      if (body.failedSince) {
        const from = dateOf(body.failedSince, 'failedSince')
        const lost = { states: ['failed', 'canceled'] as const, from, to: until }
        some += await replayDeliveries<Tables>(store, tx, name, lost, now)
      }
      if (body.missingSince)
        some += await replayMissing<Tables>(store, tx, name, dateOf(body.missingSince, 'missingSince'), now)
      await this.#record(tx, caller, 'WebhookReplayed', name, { after: { ...body, scheduled: some } }, now)
      return some
    })
    return { scheduled }
  }

  async cancel(caller: Caller, path: WebhookPath, deliveryIds: readonly string[] | null | undefined, now: Date) {
    const { name } = await this.#required(caller, path)
    const which = deliveryIds ? deliveryIds.map(numberOf) : 'all'
    const canceled = await this.#context.store.transaction(async (tx) => {
      const some = await cancelDeliveries<Tables>(tx, name, which, now)
      const after = { deliveryIds: deliveryIds ?? 'all', canceled: some }
      await this.#record(tx, caller, 'WebhookDeliveriesCanceled', name, { after }, now)
      return some
    })
    return { canceled }
  }

  #record(
    tx: Transaction<Tables>,
    caller: Caller,
    kind: AuditKind,
    { ownerId, id }: EndpointName,
    change: { readonly before?: object; readonly after?: object },
    now: Date,
  ): Promise<void> {
    const subject = { kind: 'webhook', id, name: null }
    return this.#context.audit.record(tx, { kind, organizationId: ownerId, actor: caller, subject, ...change }, now)
  }

  async #administered(caller: Caller, orgId: string) {
    const id = requireOrganization(caller, orgId)
    const organization = await findOrganization(this.#context.store.db, id)
    if (!organization) throw refuse('OrganizationNotFound', { id: orgId })
    return organization
  }

  async #required(caller: Caller, { orgId, webhookId }: WebhookPath) {
    const organization = await this.#administered(caller, orgId)
    const endpoints = await endpointsOf(this.#context.store.db, organization.id)
    const endpoint = endpoints.find(({ id }) => id === webhookId.toLowerCase())
    if (!endpoint) throw refuse('WebhookNotFound', { id: webhookId })
    return { endpoint, name: { ownerId: organization.id, id: endpoint.id } }
  }
}

/** What the audit tells of a webhook; of its token only that there is one. */
export const auditedOf = (
  webhook: Pick<EndpointSettings | Endpoint, 'url' | 'authType' | 'eventTypes' | 'groups'>,
) => ({
  url: webhook.url,
  authType: webhook.authType,
  eventTypes: webhook.eventTypes ?? null,
  folderIds: webhook.groups ?? null,
})

/** A webhook to register, as the engine takes it; refused when the address or the token cannot be used. */
export function newEndpoint(policy: AddressPolicy, body: WebhookBody): EndpointSettings {
  const { authType = 'NoAuth', token = null } = webhookAuthentication(body)
  return { ...wishesOf(policy, body), authType, token }
}

/**
 * What a request changes. Clients of the specification know three fields: what they do not send stays as it is, the
 * authentication too.
 */
export const endpointChange = (
  policy: AddressPolicy,
  body: WebhookBody,
  { authType }: Pick<Endpoint, 'authType'>,
): EndpointChange => ({ ...wishesOf(policy, body), ...webhookAuthentication(body, authType) })

function wishesOf(policy: AddressPolicy, { url, eventTypes, folderIds, ordered }: WebhookBody) {
  const reason = policy.refusesUrl(url)
  if (reason !== undefined) throw refuse('WebhookUrlNotAllowed', { url, reason })
  return {
    url,
    ...(eventTypes && { eventTypes }),
    ...(folderIds && { groups: folderIds.map((id) => id.toLowerCase()) }),
    ...(typeof ordered === 'boolean' && { ordered }),
  }
}

function dateOf(text: string, field: string): Date {
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) throw refuse('InvalidRequest', { [field]: 'is no date' })
  return date
}

function numberOf(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < 0) throw refuse('WebhookDeliveryNotFound', { id: text })
  return number
}

/** A webhook as the organization's details show it. */
export const webhookView = (endpoint: Endpoint): Static<typeof contract.Webhook> => ({
  id: endpoint.id,
  url: endpoint.url,
  authType: endpoint.authType,
  hasToken: endpoint.hasToken,
  eventTypes: endpoint.eventTypes === null ? null : [...endpoint.eventTypes],
  folderIds: endpoint.groups === null ? null : [...endpoint.groups],
  ordered: endpoint.ordered,
  state: endpoint.state,
  stateReason: endpoint.stateReason,
  stateReasonMessages: reasonInBoth(endpoint.stateReason),
  failingSince: endpoint.failingSince,
  failures: endpoint.failures,
  nextAttemptAfter: endpoint.openUntil,
  creationDate: endpoint.createdAt,
  updateDate: endpoint.updatedAt,
})

const deliveryView = (delivery: Delivery) => ({
  id: String(delivery.id),
  eventId: delivery.eventId,
  webhookId: delivery.endpointId,
  type: delivery.type,
  subject: delivery.subject,
  state: delivery.state,
  isTest: delivery.isTest,
  attempts: delivery.attempts,
  nextAttempt: delivery.nextAttemptAt,
  creationDate: delivery.createdAt,
  endDate: delivery.finishedAt,
  lastStatus: delivery.lastStatus,
  lastError: delivery.lastError,
  lastErrorMessages: reasonInBoth(delivery.lastError),
})

const attemptView = (attempt: DeliveryDetail['tries'][number]) => ({
  date: attempt.at,
  durationMs: attempt.duration_ms,
  status: attempt.status,
  error: attempt.error,
  errorMessages: reasonInBoth(attempt.error),
  answer: attempt.answer,
})
