// Creates sessions: one pending session per available provider, each with its own OAuth state, all of one creation.
import { HOUR, MINUTE, plus, SECOND } from '@chancela/service-kernel/clock'
import type { ApiKeyCaller } from '@chancela/service-kernel/http'
import { newRowId } from '@chancela/service-kernel/store'
import type { Context } from '../context.ts'
import type { HubMetrics } from '../metrics.ts'
import { answerTo } from '../parts/signing/problem-answers.ts'
import { handleHash, newHandle } from '../rules/handle.ts'
import { refuse } from '../rules/refuse.ts'
import { type RequestedSession, requestedSession, type SessionRequest } from '../rules/requested-session.ts'
import { insertCreation } from '../store/creations.ts'
import type { IdentifierDigest } from '../store/identifier-digest.ts'
import { choiceContext, namesContext } from '../store/sealed-columns.ts'
import type { Creation, SessionRow } from '../store/tables.ts'
import { chooserUrl } from '../upstream/addresses.ts'
import { authorizationOrder, knownHashesOf, writeHashes } from '../upstream/authorization-order.ts'
import { sealStep } from '../upstream/authorization-steps.ts'
import type { Provider, Providers } from '../upstream/provider.ts'
import { ProviderProblem } from '../upstream/provider-problem.ts'
import { soonEnough } from '../upstream/soon-enough.ts'
import type { Discovery, Found } from './discover-providers.ts'
import { authorizedRedirectUri } from './redirect-uris.ts'

type CreationContext = Pick<Context, 'settings' | 'store' | 'secrets'>

export interface Creating {
  readonly context: CreationContext
  readonly metrics: HubMetrics
  readonly providers: Providers
  readonly discovery: Discovery
  readonly identifierDigest: IdentifierDigest
}

/** The calling key and the time. */
interface Creator {
  readonly caller: ApiKeyCaller
  readonly now: Date
}

/** A provider the user may be sent to. */
export interface Begun {
  readonly provider: Provider
  readonly authUrl: string
}

/** The sessions of a creation, one per provider. */
export interface Created {
  readonly begun: readonly Begun[]
  /** Providers that did not answer: their sessions may be missing, and nobody knows whether they hold a certificate. */
  readonly unanswered: readonly Provider[]
}

/** Creates a session at every provider that holds a certificate for the signer, or at all without discovery. */
export async function createSession(
  creating: Creating,
  request: SessionRequest,
  creator: Creator,
  ticket?: string,
): Promise<Created> {
  const wanted = requestedSession(request, creating.context.settings)
  const redirectUri = await authorizedRedirectUri(creating.context.store.db, creator.caller.keyId, wanted.redirectUri)
  const { providers, unanswered } = await keptProviders(creating, wanted, request.discover)
  const creation = creationRow(creating.context, { ...wanted, redirectUri }, creator, ticket)
  const tried = await Promise.all(providers.map((provider) => beginOrLeaveOut(creating.context, creation, provider)))
  const begun = await write(
    creating,
    creation,
    tried.flatMap((one) => one ?? []),
  )
  const silent = new Set([...unanswered, ...providers.filter((_provider, at) => !tried[at])])
  return { begun, unanswered: creating.providers.list().filter((provider) => silent.has(provider)) }
}

/** Creates a session at one provider. */
export async function createServiceSession(
  creating: Creating,
  name: string,
  request: SessionRequest,
  creator: Creator,
): Promise<Begun> {
  const { context, providers } = creating
  // The body has no such field here (spec 1 B): what is sent nevertheless must not refuse what the length tells.
  const { identifierType: _, ...asked } = request
  const wanted = requestedSession(asked, context.settings)
  const provider = providerNamed(providers, name)
  const redirectUri = await authorizedRedirectUri(context.store.db, creator.caller.keyId, wanted.redirectUri)
  const creation = creationRow(context, { ...wanted, redirectUri }, creator)
  try {
    const [begun] = await write(creating, creation, [await begin(context, creation, provider)])
    return begun!
  } catch (error) {
    throw error instanceof ProviderProblem ? refuse(answerTo(error, false).code, undefined, error) : error
  }
}

/** A provider by its name in a path. */
export function providerNamed(providers: Providers, name: string): Provider {
  const provider = providers.find(name)
  if (!provider) throw refuse('ServiceNotFound', { name })
  return provider
}

function keptProviders(
  { providers, discovery }: Creating,
  { identifier }: RequestedSession,
  discover = identifier !== undefined,
): Found | Promise<Found> {
  if (!discover) return { providers: providers.list(), unanswered: [] }
  if (!identifier) throw refuse('IdentifierRequiredToDiscover')
  return discovery.offers(identifier)
}

function creationRow(
  { secrets }: CreationContext,
  wanted: RequestedSession,
  { caller, now }: Creator,
  ticket?: string,
): Creation {
  const { identifier, knownHashes, names } = wanted
  const id = newRowId(now)
  return {
    id,
    key_id: caller.keyId,
    application_id: caller.applicationId,
    type: wanted.type,
    redirect_uri: wanted.redirectUri,
    identifier: identifier?.value ?? null,
    identifier_type: identifier?.type ?? null,
    custom_state: wanted.customState,
    known_hashes: knownHashes ? writeHashes(knownHashes) : null,
    lifetime_seconds: wanted.lifetimeSeconds,
    created_at: now.toISOString(),
    expires_at: plus(now, wanted.lifetimeSeconds * SECOND).toISOString(),
    chooser_hash: ticket === undefined ? null : handleHash(ticket),
    sealed_choice: null,
    // They may name patients.
    sealed_names: names ? secrets.seal(JSON.stringify(names), namesContext(id)) : null,
  }
}

/** A started authorization, and the row of its pending session. */
interface Beginning extends Begun {
  readonly row: SessionRow
}

async function begin(context: CreationContext, creation: Creation, provider: Provider): Promise<Beginning> {
  const state = newHandle()
  const step = await provider.adapter.begin(authorizationOrder(creation, provider), state)
  const id = newRowId(new Date(creation.created_at))
  // The chooser shows the list itself.
  const isBehindList = creation.sealed_names !== null && creation.chooser_hash === null
  const row: SessionRow = {
    ...pendingSession(creation, context.settings),
    id,
    provider_id: provider.id,
    state_hash: handleHash(state),
    sealed_step: sealStep(context.secrets, id, step, isBehindList),
  }
  return { provider, authUrl: isBehindList ? chooserUrl(context.settings, state) : step.url, row }
}

/** A provider that cannot start, or not soon enough, is skipped like one that does not answer discovery. */
const beginOrLeaveOut = (
  context: CreationContext,
  creation: Creation,
  provider: Provider,
): Promise<Beginning | undefined> => soonEnough(provider, context.settings, () => begin(context, creation, provider))

type Settings = CreationContext['settings']

/** Columns that differ between the sessions of a creation. */
type Own = 'id' | 'provider_id' | 'state_hash' | 'sealed_step'

/** Columns common to the sessions of a creation. */
function pendingSession(creation: Creation, { Sessions }: Settings): Omit<SessionRow, Own> {
  const expiresAt = new Date(creation.expires_at)
  return {
    creation_id: creation.id,
    key_id: creation.key_id,
    type: creation.type,
    state: 'pending',
    step_until: stepUntil(creation, Sessions).toISOString(),
    value_hash: null,
    sealed_grant: null,
    alias: null,
    certificate: null,
    created_at: creation.created_at,
    expires_at: creation.expires_at,
    authorized_at: null,
    ended_at: null,
    reason: null,
    purge_at: plus(expiresAt, Sessions.TombstoneHours * HOUR).toISOString(),
    list_size: creation.sealed_names === null ? null : knownHashesOf(creation).length,
  }
}

/** Until when the holder may return from the provider. */
export function stepUntil(
  creation: Pick<Creation, 'created_at' | 'expires_at'>,
  { AuthorizationMinutes }: Settings['Sessions'],
): Date {
  const patience = plus(new Date(creation.created_at), AuthorizationMinutes * MINUTE)
  return new Date(Math.min(patience.getTime(), Date.parse(creation.expires_at)))
}

/** A session at one provider, as the chooser offers it. */
export interface Choice {
  readonly sessionId: string
  readonly providerId: string
  readonly authUrl: string
}

async function write(
  { context: { store, secrets }, metrics, identifierDigest }: Creating,
  creation: Creation,
  begun: readonly Beginning[],
): Promise<readonly Begun[]> {
  const hasChooser = creation.chooser_hash !== null
  const choices = begun.map(({ row, provider, authUrl }): Choice => {
    return { sessionId: row.id, providerId: provider.id, authUrl }
  })
  const sealed = hasChooser ? secrets.seal(JSON.stringify(choices), choiceContext(creation.id)) : null
  const rows = begun.map(({ row }) => row)
  // A creation nobody can return to is not stored.
  if (hasChooser || rows.length > 0)
    await store.transaction((tx) =>
      insertCreation(tx, { secrets, identifierDigest }, { ...creation, sealed_choice: sealed }, rows),
    )
  if (rows.length > 0) metrics.hub_sessions_created_total.inc({ type: creation.type }, rows.length)
  return begun
}
