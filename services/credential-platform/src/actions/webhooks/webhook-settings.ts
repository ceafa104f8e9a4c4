// The webhook of an organization, and those of its institutions (spec 3 B; credentials-platform facts 4.2).
import { createEndpoint, endpointsOf, setEndpointState, updateEndpoint } from '@chancela/outbox/webhooks'
import type { AddressPolicy } from '@chancela/service-kernel/http-client'
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import type { IntegrationSettings, IntegrationView, WebhookSettings, WebhookView } from '../../contract/webhooks.ts'
import { refuse, wrongData } from '../../rules/refuse.ts'
import { type Caller, requireOwn } from '../../rules/rights.ts'
import { lockSubscription } from '../../store/subscriptions.ts'
import type { Tables } from '../../store/tables.ts'
import type { WebhookSettingsRow } from '../../store/tenant-tables.ts'
import { findSettings, followersOf, tokenContext, writeSettings } from '../../store/webhook-settings.ts'
import { record, settingsChanges } from '../tenants/acting.ts'
import { requiredInstitute } from '../tenants/institutes.ts'

export interface Dependencies {
  readonly context: Context
  readonly webhookPolicy: AddressPolicy
}

const view = (row: WebhookSettingsRow | undefined): WebhookView => ({
  enabled: row?.enabled === 1,
  url: row?.url ?? null,
  authType: row?.auth_type ?? 'NoAuth',
  hasToken: (row?.sealed_token ?? null) !== null,
})

const integrationView = (row: WebhookSettingsRow | undefined): IntegrationView => ({
  ...view(row),
  shouldUseSubscriptionWebhookSettings: row?.uses_subscription === 1,
})

export const readWebhook = async ({ context }: Dependencies, caller: Caller, id: string): Promise<WebhookView> =>
  view(await findSettings(context.store.db, requireOwn(caller, id)))

export async function readIntegration({ context }: Dependencies, caller: Caller, id: string): Promise<IntegrationView> {
  const { db } = context.store
  return integrationView(await findSettings(db, (await requiredInstitute(db, caller, id)).id))
}

export async function putWebhook(
  dependencies: Dependencies,
  caller: Caller,
  id: string,
  wanted: WebhookSettings,
  now: Date,
): Promise<WebhookView> {
  const ownerId = requireOwn(caller, id)
  const entity = { type: 'Subscription', id: ownerId }
  return view(await put(dependencies, caller, { ownerId, entity, wanted, usesSubscription: false }, now))
}

export async function setIntegration(
  dependencies: Dependencies,
  caller: Caller,
  id: string,
  { shouldUseSubscriptionWebhookSettings, ...wanted }: IntegrationSettings,
  now: Date,
): Promise<IntegrationView> {
  const { id: ownerId } = await requiredInstitute(dependencies.context.store.db, caller, id)
  const usesSubscription = shouldUseSubscriptionWebhookSettings ?? false
  const entity = { type: 'Institute', id: ownerId }
  return integrationView(await put(dependencies, caller, { ownerId, entity, wanted, usesSubscription }, now))
}

interface Wish {
  readonly ownerId: string
  readonly entity: { readonly type: string; readonly id: string }
  readonly wanted: WebhookSettings
  readonly usesSubscription: boolean
}

async function put(
  { context, webhookPolicy }: Dependencies,
  caller: Caller,
  { ownerId, entity, wanted, usesSubscription }: Wish,
  now: Date,
): Promise<WebhookSettingsRow> {
  requireAddress(webhookPolicy, wanted, usesSubscription)
  return context.store.transaction(async (tx) => {
    // The row of the subscription is the lock: whoever configures second sees what the first one did.
    await lockSubscription(tx, caller.subscriptionId)
    const known = await findSettings(tx, ownerId)
    const row: WebhookSettingsRow = {
      owner_id: ownerId,
      subscription_id: caller.subscriptionId,
      enabled: Number(wanted.enabled),
      url: wanted.url ?? null,
      ...authentication(context, ownerId, wanted, known),
      uses_subscription: Number(usesSubscription),
      updated_at: now.toISOString(),
    }
    await writeSettings(tx, row)
    await applySettings(context, tx, row, now)
    const { enabled, url, auth_type } = row
    const data = { enabled: enabled === 1, url, authType: auth_type, usesSubscription }
    const changes = settingsChanges(known && told(known), told(row), wanted.token ? ['token'] : [])
    await record(tx, caller, { type: 'WebhookConfigured', entity, data, changes }, now)
    return row
  })
}

const told = (row: WebhookSettingsRow) => ({
  enabled: row.enabled === 1,
  url: row.url,
  authType: row.auth_type,
  usesSubscription: row.uses_subscription === 1,
})

function requireAddress(policy: AddressPolicy, { enabled, url }: WebhookSettings, usesSubscription: boolean): void {
  if (enabled && !url && !usesSubscription) throw wrongData({ url: ['is required while webhooks are enabled'] })
  const refusal = url ? policy.refusesUrl(url) : undefined
  if (refusal !== undefined) throw refuse('webhook-url-refused', { fields: { url: [refusal] } })
}

/** What may stand in a header value. */
const HEADER_TEXT = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** A token of the same type stays unless another is given; without one there is no authentication to send. */
function authentication(
  { secrets }: Pick<Context, 'secrets'>,
  ownerId: string,
  { authType, token }: WebhookSettings,
  known: WebhookSettingsRow | undefined,
): Pick<WebhookSettingsRow, 'auth_type' | 'sealed_token'> {
  const auth_type = authType ?? 'NoAuth'
  if (auth_type === 'NoAuth') {
    if (token) throw wrongData({ authType: ['is required with a token'] })
    return { auth_type, sealed_token: null }
  }
  if (token) {
    if (!HEADER_TEXT.test(token)) throw wrongData({ token: ['cannot stand in a header'] })
    return { auth_type, sealed_token: secrets.seal(token, tokenContext(ownerId)) }
  }
  if (known?.auth_type !== auth_type || known.sealed_token === null)
    throw wrongData({ token: [`is required with ${auth_type}`] })
  return { auth_type, sealed_token: known.sealed_token }
}

/** Brings the endpoints of the outbox in line with what was asked for: its own, and those that follow it. */
async function applySettings(
  context: Context,
  tx: Transaction<Tables>,
  row: WebhookSettingsRow,
  now: Date,
): Promise<void> {
  const isInstitutes = row.owner_id !== row.subscription_id
  const source = isInstitutes && row.uses_subscription === 1 ? await findSettings(tx, row.subscription_id) : row
  await applyTo(context, tx, row.owner_id, source, now)
  if (isInstitutes) return
  for (const follower of await followersOf(tx, row.subscription_id))
    await applyTo(context, tx, follower.owner_id, row, now)
}

/** Deliveries that wait go where the settings point now; where they are switched off, they are not sent. */
async function applyTo(
  { secrets }: Context,
  tx: Transaction<Tables>,
  ownerId: string,
  source: WebhookSettingsRow | undefined,
  now: Date,
): Promise<void> {
  const [known] = await endpointsOf<Tables>(tx, ownerId)
  if (source?.enabled !== 1 || source.url === null) {
    if (known) await setEndpointState<Tables>(tx, { ownerId, id: known.id }, 'disabled', 'Webhooks are disabled.', now)
    return
  }
  const { url, auth_type: authType, sealed_token } = source
  const token = sealed_token === null ? null : secrets.openText(sealed_token, tokenContext(source.owner_id))
  const settings = { url, authType, token }
  if (known) await updateEndpoint<Tables>(tx, secrets, { ownerId, id: known.id }, settings, now)
  else await createEndpoint<Tables>(tx, secrets, ownerId, settings, now)
}
