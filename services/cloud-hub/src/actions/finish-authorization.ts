// The user returns from a provider. The state is valid once, whatever comes with it; the user is redirected to the
// client's redirect URI with a session, or with a refused session and an error; when that URI is no longer allowed,
// there is no redirect.
import { readUrl } from '@chancela/service-kernel/addresses'
import { writeAlone } from '@chancela/service-kernel/store'
import type { Context } from '../context.ts'
import type { HubMetrics } from '../metrics.ts'
import { handleHash, isHandle, newHandle } from '../rules/handle.ts'
import { creationById } from '../store/creations.ts'
import { awaitState, takeState } from '../store/sessions.ts'
import { authorizationOrder, identifierOf } from '../upstream/authorization-order.ts'
import { openStep, sealStep } from '../upstream/authorization-steps.ts'
import type { Grant, Provider, Providers } from '../upstream/provider.ts'
import { ProviderProblem } from '../upstream/provider-problem.ts'
import { authorizeSession, comeLate, type RefusalReason, refuseSession, type Visit } from './callback-outcomes.ts'
import { mayRedirect, type Returned, returnAddress } from './redirect-uris.ts'

export interface CallbackParts {
  readonly context: Context
  readonly metrics: HubMetrics
  readonly providers: Pick<Providers, 'get'>
}

/** A request to a provider's callback; anybody can send one. */
interface Callback {
  /** The provider whose callback it is. */
  readonly name: string
  readonly query: Readonly<Record<string, unknown>>
  readonly correlationId: string
  readonly now: Date
  /** Why it failed, when the hub itself waited for the provider. */
  readonly failure?: RefusalReason
}

/** Longest code that is accepted; the longest seen are signed tokens of two kilobytes. */
const LONGEST_CODE = 8192

/** Finishes an authorization, or one step of it. Returns where to redirect the user; undefined for nowhere. */
export async function finishAuthorization(parts: CallbackParts, callback: Callback): Promise<string | undefined> {
  const { state, code } = callback.query
  if (!isHandle(state) || String(code ?? '').length > LONGEST_CODE) return undefined
  const { context, metrics, providers } = parts
  const session = await writeAlone(context.store, (db) => takeState(db, handleHash(state)))
  const provider = session && providers.get(session.provider_id)
  if (!session || !provider) return undefined
  const { server, secret } = openStep(context.secrets, session)
  const creation = await creationById(context.store.db, context.secrets, session.creation_id)
  const { correlationId, now } = callback
  const visit: Visit = { context, metrics, session, creation, provider, secret, correlationId, now }
  const distrust = await distrustOf(visit, callback, server)
  if (distrust === undefined) return comeBack(visit, callback)
  await refuseSession(visit, distrust)
  return undefined
}

/** Why the user must not be redirected at all. */
async function distrustOf(
  { context, provider, creation, now }: Visit,
  { name, query: { iss } }: Callback,
  server: string,
): Promise<RefusalReason | undefined> {
  if (name.toLowerCase() !== provider.serviceName.toLowerCase()) return 'mix-up'
  if (iss !== undefined && !isIssuer(String(iss), provider, server)) return 'mix-up'
  const { key_id, redirect_uri } = creation
  return (await mayRedirect(context.store.db, key_id, redirect_uri, now)) ? undefined : 'redirect-uri-gone'
}

/** Whether the issuer in the response is the one the user was sent to (RFC 9207). */
const isIssuer = (iss: string, { issuer }: Provider, server: string): boolean =>
  issuer === undefined ? readUrl(iss)?.origin === server : iss === issuer

async function comeBack(visit: Visit, { query: { code, error }, failure }: Callback): Promise<string | undefined> {
  if (error === 'access_denied') return turnBack(visit, 'denied', 'access_denied')
  if (failure !== undefined) return turnBack(visit, failure, 'provider_error')
  if (error !== undefined && error !== '') return turnBack(visit, 'provider-error', 'provider_error')
  if (visit.now.toISOString() >= visit.session.step_until!) return goOn(visit, await comeLate(visit))
  if (typeof code !== 'string' || code === '') return turnBack(visit, 'provider-error', 'provider_error')
  try {
    return await redeem(visit, code)
  } catch (problem) {
    if (problem instanceof ProviderProblem) return turnBack(visit, problem.kind, 'provider_error')
    throw problem
  }
}

/** Exchanges the code, once. */
async function redeem(visit: Visit, code: string): Promise<string | undefined> {
  const { context, session, creation, provider, secret } = visit
  const state = newHandle()
  const began = performance.now()
  const redeemed = await provider.adapter.redeem(authorizationOrder(creation, provider), secret, code, state)
  if (redeemed.kind === 'granted') return receive(visit, redeemed.grant, performance.now() - began)
  const next = { state_hash: handleHash(state), sealed_step: sealStep(context.secrets, session.id, redeemed.step) }
  const waits = await writeAlone(context.store, (db) => awaitState(db, session.id, next))
  return waits ? redeemed.step.url : undefined
}

async function receive(visit: Visit, grant: Grant, milliseconds: number): Promise<string | undefined> {
  const isWelcome = isAskedFor(visit, grant)
  const session = isWelcome ? await authorizeSession(visit, grant, milliseconds) : undefined
  if (session === undefined) await giveUp(visit, grant)
  return isWelcome ? goOn(visit, session) : turnBack(visit, 'another-holder', 'access_denied')
}

/** A login hint does not bind the provider: the authenticated person is compared with the requested one. */
function isAskedFor({ creation }: Visit, { holder }: Grant): boolean {
  const asked = identifierOf(creation)
  return asked?.type !== holder?.type || asked?.value === holder?.value
}

/** Revokes a grant nobody will use where the provider can; elsewhere it expires. */
async function giveUp({ provider }: Visit, grant: Grant): Promise<void> {
  try {
    await provider.adapter.revoke?.(grant)
  } catch (error) {
    if (!(error instanceof ProviderProblem)) throw error
  }
}

/** Redirects the user with a session that is already refused, so that every client gets a clean refusal. */
const turnBack = async (visit: Visit, reason: RefusalReason, error: Returned['error']): Promise<string | undefined> =>
  goOn(visit, await refuseSession(visit, reason), error)

/** A session that ended meanwhile, because the user chose none, has no value: there is no redirect. */
const goOn = ({ creation }: Visit, session: string | undefined, error?: Returned['error']): string | undefined =>
  session === undefined
    ? undefined
    : returnAddress(creation.redirect_uri, { session, ...(error !== undefined && { error }) })
