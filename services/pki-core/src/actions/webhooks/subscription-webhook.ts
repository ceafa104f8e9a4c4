// The webhook of a subscription: one address that is told of every document signed for it.
import { createEndpoint, deleteEndpoint, type Endpoint, endpointsOf, updateEndpoint } from '@chancela/outbox/webhooks'
import { invalidField } from '@chancela/service-kernel/errors'
import type { AddressPolicy } from '@chancela/service-kernel/http-client'
import type { Context } from '../../context.ts'
import type { WebhookRequest, WebhookView } from '../../contract/webhooks.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import type { Tables } from '../../store/tables.ts'

export interface Dependencies {
  readonly context: Context
  readonly webhookPolicy: AddressPolicy
}

const view = (endpoint: Endpoint, secret: string | null = null): WebhookView => ({
  url: endpoint.url,
  authType: endpoint.authType,
  hasToken: endpoint.hasToken,
  state: endpoint.state,
  stateReason: endpoint.stateReason,
  failures: endpoint.failures,
  failingSince: endpoint.failingSince,
  secret,
})

/** An application manages the webhook of the subscription that it calls for; of others it learns nothing. */
export function requireOwn({ subscriptionId }: Caller, id: string): string {
  if (id.toLowerCase() !== subscriptionId) throw refuse('EntityNotFound', { entity: 'Subscription', id })
  return subscriptionId
}

const absent = (id: string) => refuse('EntityNotFound', { entity: 'Webhook', subscriptionId: id })

/** The webhook of the caller's subscription. */
export async function requiredWebhook({ context }: Pick<Dependencies, 'context'>, caller: Caller, id: string) {
  const ownerId = requireOwn(caller, id)
  const [endpoint] = await endpointsOf(context.store.db, ownerId)
  if (!endpoint) throw absent(id)
  return { endpoint, name: { ownerId, id: endpoint.id } }
}

export const readWebhook = async (dependencies: Dependencies, caller: Caller, id: string): Promise<WebhookView> =>
  view((await requiredWebhook(dependencies, caller, id)).endpoint)

export async function putWebhook(
  { context, webhookPolicy }: Dependencies,
  caller: Caller,
  id: string,
  request: WebhookRequest,
  now: Date,
): Promise<WebhookView> {
  const { store, secrets } = context
  const ownerId = requireOwn(caller, id)
  const refusal = webhookPolicy.refusesUrl(request.url)
  if (refusal !== undefined) throw refuse('WebhookUrlNotAllowed', { reason: refusal })
  return store.transaction(async (tx) => {
    // The row of the subscription is the lock: two who set it up at once make one webhook.
    await tx.updateTable('subscription').set({ id: ownerId }).where('id', '=', ownerId).execute()
    const [known] = await endpointsOf<Tables>(tx, ownerId)
    const settings = { url: request.url, ...authentication(request, known) }
    const made = known ? undefined : await createEndpoint<Tables>(tx, secrets, ownerId, settings, now)
    if (known) await updateEndpoint<Tables>(tx, secrets, { ownerId, id: known.id }, settings, now)
    const [endpoint] = await endpointsOf<Tables>(tx, ownerId)
    return view(endpoint!, made?.secret ?? null)
  })
}

/** What may stand in a header value. */
const HEADER_TEXT = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** A token of the same type stays unless another is given; without one there is no authentication to send. */
export function authentication(
  { authType, token }: Pick<WebhookRequest, 'authType' | 'token'>,
  known: Pick<Endpoint, 'authType' | 'hasToken'> | undefined,
) {
  const type = authType ?? 'NoAuth'
  if (type === 'NoAuth') {
    if (token) throw invalidField('authType', 'is required with a token')
    return { authType: type, token: null }
  }
  if (token) {
    if (!HEADER_TEXT.test(token)) throw invalidField('token', 'cannot stand in a header')
    return { authType: type, token }
  }
  if (known?.authType !== type || !known.hasToken) throw invalidField('token', `is required with ${type}`)
  return { authType: type } as { authType: typeof type; token: string | null }
}

export async function deleteWebhook({ context }: Dependencies, caller: Caller, id: string, now: Date): Promise<void> {
  const { name } = await requiredWebhook({ context }, caller, id)
  if (!(await context.store.transaction((tx) => deleteEndpoint<Tables>(tx, name, now)))) throw absent(id)
}
