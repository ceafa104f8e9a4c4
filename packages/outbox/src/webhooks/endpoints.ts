import { randomUUID } from 'node:crypto'
import { HOUR, plus } from '@chancela/service-kernel/clock'
import { type Secrets, sealedTable } from '@chancela/service-kernel/secrets'
import { type Db, moving, notify, type Store } from '@chancela/service-kernel/store'
import { reason as words } from './reason-texts.ts'
import { newSigningSecret } from './signed-headers.ts'
import {
  type AuthType,
  deliveryMoves,
  type EndpointRow,
  type EndpointState,
  endpointMoves,
  webhookTables,
} from './tables.ts'

/** The notification channel of changes to endpoints or their waiting deliveries. */
export const ENDPOINT_CHANNEL = 'webhook_endpoints'

/** Settings of an endpoint. */
export interface EndpointSettings {
  readonly url: string
  readonly authType: AuthType
  /** Sent exactly as given; null with NoAuth. */
  readonly token: string | null
  /** Default: all types. */
  readonly eventTypes?: readonly string[]
  /** Default: of all groups. */
  readonly groups?: readonly string[]
  /** Sends the deliveries of a subject one after the other. Default: in no order. */
  readonly ordered?: boolean
  /** Concurrent deliveries. Default 8. */
  readonly concurrency?: number
  /** Deliveries a second, at most. Default: no limit. */
  readonly perSecond?: number | null
  /** Default: nothing beyond the header. */
  readonly access?: EndpointAccess | null
}

/** What of an endpoint is changed: what is not named stays as it is. */
export type EndpointChange = Partial<EndpointSettings>

/** How a receiver is reached that asks for more than a header; sealed as a whole. */
export interface EndpointAccess {
  /** An access token takes the place of the registered `Authorization`. */
  readonly oauth2?: ClientCredentials
  /** PEM: the client certificate with its key, and authorities trusted instead of the system's. */
  readonly tls?: { readonly cert?: string; readonly key?: string; readonly ca?: string }
}

/** How access tokens are requested. */
export interface ClientCredentials {
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scope?: string
}

/** The public part of an endpoint: never its token or secret. */
export interface Endpoint extends Required<Pick<EndpointSettings, 'url' | 'authType' | 'ordered' | 'concurrency'>> {
  readonly id: string
  readonly ownerId: string
  readonly hasToken: boolean
  /** Whether the receiver requires more than a header. */
  readonly hasAccess: boolean
  readonly eventTypes: readonly string[] | null
  readonly groups: readonly string[] | null
  readonly perSecond: number | null
  readonly state: EndpointState
  readonly stateReason: string | null
  readonly stateAt: string
  readonly failingSince: string | null
  readonly failures: number
  readonly openUntil: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

const tokenContext = (id: string): string => `webhook_endpoint ${id} token`
const accessContext = (id: string): string => `webhook_endpoint ${id} access`
const secretContext = (id: string): string => `webhook_endpoint ${id} secret`

const sealedColumns = {
  sealed_token: tokenContext,
  sealed_secret: secretContext,
  sealed_previous_secret: secretContext,
  sealed_access: accessContext,
} as const satisfies Partial<Record<keyof EndpointRow, (id: string) => string>>

/** For the sealed tables of a service, so that a rotation of the master key includes its endpoints. */
export const sealedEndpoints = sealedTable<EndpointRow>({
  table: 'webhook_endpoint',
  idColumn: 'id',
  columns: Object.keys(sealedColumns) as (keyof typeof sealedColumns)[],
  context: ({ id }, column) => sealedColumns[column as keyof typeof sealedColumns](id),
})

/** Registers an endpoint; only this and a rotation return its signing secret. */
export async function createEndpoint<Tables>(
  db: Db<Tables>,
  secrets: Secrets,
  ownerId: string,
  settings: EndpointSettings,
  now: Date,
): Promise<{ readonly id: string; readonly secret: string }> {
  const id = randomUUID()
  const secret = newSigningSecret()
  const row = newRow(secrets, { id, ownerId, secret }, settings, now)
  await webhookTables(db).insertInto('webhook_endpoint').values(row).execute()
  return { id, secret }
}

function newRow(
  secrets: Secrets,
  { id, ownerId, secret }: EndpointName & { readonly secret: string },
  settings: EndpointSettings,
  now: Date,
): EndpointRow {
  const at = now.toISOString()
  return {
    id,
    owner_id: ownerId,
    ...columnsOf(secrets, id, { ...defaults, ...settings }),
    sealed_secret: secrets.seal(secret, secretContext(id)),
    sealed_previous_secret: null,
    previous_secret_until: null,
    state: 'enabled',
    state_reason: null,
    state_at: at,
    failing_since: null,
    failures: 0,
    open_until: null,
    lease_holder: null,
    leased_until: null,
    created_at: at,
    updated_at: at,
  }
}

/** An endpoint of a settings file: under a name of its own, with a secret that the receiver knows. */
export interface ConfiguredEndpoint extends EndpointSettings {
  readonly id: string
  readonly secret: string
}

/**
 * Makes the endpoints of an owner those of its settings file: new ones are created, known ones changed, and the others
 * deleted with what waits for them. A known one keeps its line, its state and its log.
 */
export async function configureEndpoints<Tables>(
  store: Store<Tables>,
  secrets: Secrets,
  ownerId: string,
  wanted: readonly ConfiguredEndpoint[],
  now: Date,
): Promise<void> {
  await store.transaction(async (tx) => {
    for (const { id, secret, ...settings } of wanted) {
      await insertConfigured(tx, secrets, { id, ownerId, secret }, settings, now)
      await replaceSecret(tx, secrets, { id, ownerId }, secret, now)
      await updateEndpoint(tx, secrets, { id, ownerId }, { ...defaults, ...settings }, now)
    }
    const names = new Set(wanted.map(({ id }) => id))
    for (const { id } of await endpointsOf(tx, ownerId))
      if (!names.has(id)) await deleteEndpoint(tx, { ownerId, id }, now)
  })
}

/** Of two instances that start at once, one inserts. */
async function insertConfigured<Tables>(
  db: Db<Tables>,
  secrets: Secrets,
  { id, ownerId, secret }: EndpointName & { readonly secret: string },
  settings: EndpointSettings,
  now: Date,
): Promise<void> {
  await webhookTables(db)
    .insertInto('webhook_endpoint')
    .values(newRow(secrets, { id, ownerId, secret }, settings, now))
    .onConflict((known) => known.column('id').doNothing())
    .execute()
}

/** A secret that was changed in the file also leaves the one before in use for a day. */
async function replaceSecret<Tables>(
  db: Db<Tables>,
  secrets: Secrets,
  { ownerId, id }: EndpointName,
  secret: string,
  now: Date,
): Promise<void> {
  const { sealed_secret } = await webhookTables(db)
    .selectFrom('webhook_endpoint')
    .select('sealed_secret')
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  if (secrets.openText(sealed_secret, secretContext(id)) !== secret)
    await storeSecret(db, secrets, { ownerId, id }, secret, now)
}

const defaults = {
  eventTypes: [],
  groups: [],
  ordered: false,
  concurrency: 8,
  perSecond: null,
  access: null,
} as const satisfies Omit<Required<EndpointSettings>, 'url' | 'authType' | 'token'>

type SettingColumns = Pick<
  EndpointRow,
  | 'url'
  | 'auth_type'
  | 'sealed_token'
  | 'sealed_access'
  | 'event_types'
  | 'groups'
  | 'ordered'
  | 'concurrency'
  | 'per_second'
>

/** What settings are in the row; what is not named has no column, and is not written. */
function columnsOf(secrets: Secrets, id: string, settings: Required<EndpointSettings>): SettingColumns
function columnsOf(
  secrets: Secrets,
  id: string,
  change: EndpointChange,
): { [C in keyof SettingColumns]?: SettingColumns[C] | undefined }
function columnsOf(secrets: Secrets, id: string, change: EndpointChange) {
  const { url, authType, token, eventTypes, groups, ordered, concurrency, perSecond, access } = change
  return {
    url,
    auth_type: authType,
    sealed_token: typeof token === 'string' ? secrets.seal(token, tokenContext(id)) : token,
    sealed_access: access && secrets.seal(JSON.stringify(access), accessContext(id)),
    event_types: eventTypes && listed(eventTypes),
    groups: groups && listed(groups),
    ordered: ordered === undefined ? undefined : Number(ordered),
    concurrency,
    per_second: perSecond,
  }
}

/** A list as JSON; null, for an empty one, means all. */
export const listed = (values: readonly string[] | undefined): string | null =>
  values === undefined || values.length === 0 ? null : JSON.stringify(values)

/**
 * Changes an endpoint, and starts it anew: one that failed is tried again at once, one that was disabled is enabled. A
 * paused one stays so, by its owner's word. False when the owner has no such endpoint.
 */
export async function updateEndpoint<Tables>(
  db: Db<Tables>,
  secrets: Secrets,
  { ownerId, id }: EndpointName,
  change: EndpointChange,
  now: Date,
): Promise<boolean> {
  const at = now.toISOString()
  const { numUpdatedRows } = await webhookTables(db)
    .updateTable('webhook_endpoint')
    .set({ ...columnsOf(secrets, id, change), ...healthy, updated_at: at })
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await moving(webhookTables(db), {
    table: 'webhook_endpoint',
    column: 'state',
    moves: endpointMoves,
    move: 'restart',
    set: { state_reason: null, state_at: at },
  })
    .where('id', '=', id)
    .execute()
  if (change.ordered !== undefined) await orderWaiting(db, id, change.ordered)
  await notify(db, ENDPOINT_CHANNEL)
  return true
}

/** What waits goes in the order that is asked for now. */
async function orderWaiting<Tables>(db: Db<Tables>, endpointId: string, ordered: boolean): Promise<void> {
  const inOrder = ordered ? 1 : 0
  await webhookTables(db)
    .updateTable('webhook_delivery')
    .set({ in_order: inOrder })
    .where('endpoint_id', '=', endpointId)
    .where('state', '=', 'waiting')
    .where('in_order', '!=', inOrder)
    .execute()
}

/** Identifies an endpoint of an owner: another owner's is unknown. */
export interface EndpointName {
  readonly ownerId: string
  readonly id: string
}

const healthy = { failing_since: null, failures: 0, open_until: null } as const

/** Removes an endpoint and cancels its waiting deliveries. False when the owner has no such endpoint. */
export async function deleteEndpoint<Tables>(
  db: Db<Tables>,
  { ownerId, id }: EndpointName,
  now: Date,
): Promise<boolean> {
  const { numDeletedRows } = await webhookTables(db)
    .deleteFrom('webhook_endpoint')
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await cancelWaiting(db, id, words('deleted'), now)
  await notify(db, ENDPOINT_CHANNEL)
  return true
}

/** Moves an endpoint to a state; disabling cancels waiting deliveries. False when it is unknown or in that state. */
export async function setEndpointState<Tables>(
  db: Db<Tables>,
  { ownerId, id }: EndpointName,
  state: EndpointState,
  reason: string | null,
  now: Date,
): Promise<boolean> {
  const at = now.toISOString()
  const { numUpdatedRows } = await moving(webhookTables(db), {
    table: 'webhook_endpoint',
    column: 'state',
    moves: endpointMoves,
    move: state,
    set: { state_reason: reason, state_at: at, updated_at: at, ...(state === 'enabled' && healthy) },
  })
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  if (state === 'disabled') await cancelWaiting(db, id, reason ?? words('disabled'), now)
  await notify(db, ENDPOINT_CHANNEL)
  return true
}

/** Cancels waiting deliveries; the caller adds the condition. */
export const canceling = <Tables>(db: Db<Tables>, reason: string, now: Date) =>
  moving(webhookTables(db), {
    table: 'webhook_delivery',
    column: 'state',
    moves: deliveryMoves,
    move: 'cancel',
    set: { finished_at: now.toISOString(), last_error: reason },
  })

/** Cancels the waiting deliveries of an endpoint; one in progress that still arrives counts as delivered. */
export async function cancelWaiting<Tables>(
  db: Db<Tables>,
  endpointId: string,
  reason: string,
  now: Date,
): Promise<number> {
  const { numUpdatedRows } = await canceling(db, reason, now).where('endpoint_id', '=', endpointId).executeTakeFirst()
  return Number(numUpdatedRows)
}

/** How long both secrets sign after a rotation, so that a receiver can switch. */
const OVERLAP = 24 * HOUR

/** Gives an endpoint a new secret; the old one also signs for a day. Undefined when the owner has no such endpoint. */
export async function rotateSecret<Tables>(
  db: Db<Tables>,
  secrets: Secrets,
  name: EndpointName,
  now: Date,
): Promise<string | undefined> {
  const secret = newSigningSecret()
  return (await storeSecret(db, secrets, name, secret, now)) ? secret : undefined
}

async function storeSecret<Tables>(
  db: Db<Tables>,
  secrets: Secrets,
  { ownerId, id }: EndpointName,
  secret: string,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await webhookTables(db)
    .updateTable('webhook_endpoint')
    .set((row) => ({
      sealed_previous_secret: row.ref('sealed_secret'),
      previous_secret_until: plus(now, OVERLAP).toISOString(),
      sealed_secret: secrets.seal(secret, secretContext(id)),
      updated_at: now.toISOString(),
    }))
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await notify(db, ENDPOINT_CHANNEL)
  return true
}

/** The endpoints of an owner, oldest first. */
export async function endpointsOf<Tables>(db: Db<Tables>, ownerId: string): Promise<readonly Endpoint[]> {
  const rows = await webhookTables(db)
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(endpointOf)
}

const endpointOf = (row: EndpointRow): Endpoint => ({
  id: row.id,
  ownerId: row.owner_id,
  url: row.url,
  authType: row.auth_type,
  hasToken: row.sealed_token !== null,
  hasAccess: row.sealed_access !== null,
  eventTypes: listOf(row.event_types),
  groups: listOf(row.groups),
  ordered: row.ordered === 1,
  concurrency: row.concurrency,
  perSecond: row.per_second,
  state: row.state,
  stateReason: row.state_reason,
  stateAt: row.state_at,
  failingSince: row.failing_since,
  failures: row.failures,
  openUntil: row.open_until,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** A list from JSON; null means all. */
export const listOf = (text: string | null): readonly string[] | null =>
  text === null ? null : (JSON.parse(text) as string[])

/** The opened secrets of an endpoint. */
export interface EndpointKeys {
  readonly token: string | null
  /** The newest first. */
  readonly signingSecrets: readonly string[]
  readonly access: EndpointAccess
}

/** Opens the secrets of an endpoint. */
export function endpointKeys(secrets: Secrets, row: EndpointRow, now: Date): EndpointKeys {
  const { id, sealed_token, sealed_secret, sealed_previous_secret, previous_secret_until, sealed_access } = row
  const overlaps = previous_secret_until !== null && previous_secret_until > now.toISOString()
  const sealed = [sealed_secret, ...(overlaps && sealed_previous_secret !== null ? [sealed_previous_secret] : [])]
  return {
    token: sealed_token === null ? null : secrets.openText(sealed_token, tokenContext(id)),
    signingSecrets: sealed.map((each) => secrets.openText(each, secretContext(id))),
    access: sealed_access === null ? {} : JSON.parse(secrets.openText(sealed_access, accessContext(id))),
  }
}
