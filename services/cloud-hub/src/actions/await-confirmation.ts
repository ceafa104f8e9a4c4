// The holder confirms on a phone while the browser waits at the hub. The first request of the page triggers the push;
// later ones poll the provider, at most once a second; its answer ends the wait like a callback.
import { MINUTE, plus, SECOND } from '@chancela/service-kernel/clock'
import { writeAlone } from '@chancela/service-kernel/store'
import { handleHash, isHandle } from '../rules/handle.ts'
import { creationById } from '../store/creations.ts'
import { replaceStep, sessionOfState } from '../store/sessions.ts'
import type { SessionRow } from '../store/tables.ts'
import { authorizationOrder } from '../upstream/authorization-order.ts'
import { type KeptPush, type KeptStep, openStep, sealKeptStep, sealStep } from '../upstream/authorization-steps.ts'
import type { Provider, Push } from '../upstream/provider.ts'
import { isAilment, ProviderProblem } from '../upstream/provider-problem.ts'
import type { RefusalReason } from './callback-outcomes.ts'
import { type CallbackParts, finishAuthorization } from './finish-authorization.ts'

/** How long the provider waits for the holder (cloud-hub facts 1.5). */
const CONFIRMATION_MINUTES = 2

/** Shortest time between two polls. */
const PATIENCE = SECOND

/** A request of the page; anybody can send one. */
interface Opening {
  /** The provider whose page it is. */
  readonly name: string
  readonly state: unknown
  /** False for prefetches and link checkers: they do not trigger the push. */
  readonly acts: boolean
  readonly correlationId: string
  readonly now: Date
}

/** The data of the page. */
export interface WaitingView {
  readonly serviceName: string
  readonly remainingSeconds: number
  /** Where a user without the phone is sent. */
  readonly pageUrl: string
  /** Where a user who cancels is sent. */
  readonly cancelUrl: string
}

/** Where to redirect the user; undefined when there is nowhere to go. */
interface Sent {
  readonly address: string | undefined
}

/** The page, or where to redirect the user. */
type Opened = { readonly view: WaitingView } | Sent

const nowhere: Opened = { address: undefined }

/** A waiting user, with the related objects. */
interface Waiting {
  readonly parts: CallbackParts
  readonly opening: Opening & { readonly state: string }
  readonly session: SessionRow
  readonly provider: Provider
  readonly step: KeptStep & { readonly push: KeptPush }
}

export async function awaitConfirmation(parts: CallbackParts, opening: Opening): Promise<Opened> {
  const waiting = await waitingOf(parts, opening)
  if (!waiting) return nowhere
  const { provider, session, step } = waiting
  const { push } = provider.adapter
  // The operator switched it off meanwhile.
  if (!push) return finish(waiting, {}, 'unavailable')
  const { now, acts } = opening
  // Expired like a callback; finishing reports that.
  if (now.toISOString() >= session.step_until!) return finish(waiting)
  if (now >= confirmedUntil(waiting)) return finish(waiting, {}, 'unconfirmed')
  if (!acts) return show(waiting)
  return step.push.since === undefined ? ring(waiting, push) : ask(waiting, push)
}

/**
 * A user whose phone is lost, off or elsewhere goes to the provider's page, with the same state; the phone is not asked
 * about any more. Returns where to redirect the user; undefined for nowhere.
 */
export async function leavePhone(parts: CallbackParts, opening: Opening): Promise<string | undefined> {
  const waiting = opening.acts ? await waitingOf(parts, opening) : undefined
  if (!waiting) return undefined
  const { provider, session } = waiting
  if (opening.now.toISOString() >= session.step_until!) return (await finish(waiting)).address
  const { store, secrets } = parts.context
  const creation = await creationById(store.db, secrets, session.creation_id)
  try {
    const order = { ...authorizationOrder(creation, provider), atPage: true } as const
    const step = await provider.adapter.begin(order, waiting.opening.state)
    const isKept = await writeAlone(store, (db) => replaceStep(db, session, sealStep(secrets, session.id, step)))
    // The waiting page wrote its progress in between, or another request was first.
    return isKept ? step.url : leavePhone(parts, opening)
  } catch (problem) {
    if (problem instanceof ProviderProblem) return (await finish(waiting, {}, problem.kind)).address
    throw problem
  }
}

async function waitingOf(parts: CallbackParts, opening: Opening): Promise<Waiting | undefined> {
  const { context, providers } = parts
  const { name, state } = opening
  if (!isHandle(state)) return undefined
  const session = await sessionOfState(context.store.db, handleHash(state))
  const provider = session && providers.get(session.provider_id)
  if (!provider || name.toLowerCase() !== provider.serviceName.toLowerCase()) return undefined
  const { push, ...step } = openStep(context.secrets, session)
  return push && { parts, opening: { ...opening, state }, session, provider, step: { ...step, push } }
}

/** Triggers the push; of two concurrent requests, only one does. */
async function ring(waiting: Waiting, push: Push): Promise<Opened> {
  const { parts, opening, provider, session, step } = waiting
  const since = opening.now.toISOString()
  const rung = await keep(waiting, { since })
  if (!rung) return show(waiting)
  try {
    const { store, secrets } = parts.context
    const creation = await creationById(store.db, secrets, session.creation_id)
    const code = await push.start(authorizationOrder(creation, provider), step.secret)
    await keep(rung, { since, code, asked: since })
    return show(rung)
  } catch (problem) {
    if (problem instanceof ProviderProblem) return finish(waiting, {}, problem.kind)
    throw problem
  }
}

/** Polls the provider for the holder's decision. While the provider fails, the holder may still confirm. */
async function ask(waiting: Waiting, push: Push): Promise<Opened> {
  const { code, asked } = waiting.step.push
  const { now } = waiting.opening
  if (code === undefined || now < plus(new Date(asked!), PATIENCE)) return show(waiting)
  if (!(await keep(waiting, { ...waiting.step.push, asked: now.toISOString() }))) return show(waiting)
  try {
    const said = await push.poll(code)
    if (said === 'pending') return show(waiting)
    return finish(waiting, said === 'denied' ? { error: 'access_denied' } : { code: said.code })
  } catch (problem) {
    if (!(problem instanceof ProviderProblem)) throw problem
    return isAilment(problem) ? show(waiting) : finish(waiting, {}, problem.kind)
  }
}

/** Writes the progress; undefined when a concurrent request was first, or the session no longer waits. */
async function keep(waiting: Waiting, push: KeptPush): Promise<Waiting | undefined> {
  const { parts, session } = waiting
  const step = { ...waiting.step, push }
  const sealed_step = sealKeptStep(parts.context.secrets, session.id, step)
  const isKept = await writeAlone(parts.context.store, (db) => replaceStep(db, session, sealed_step))
  return isKept ? { ...waiting, step, session: { ...session, sealed_step } } : undefined
}

interface Brought {
  readonly code?: string
  readonly error?: string
}

/** Ends the wait as if the user had returned from the provider with this: the state is valid once. */
async function finish({ parts, opening }: Waiting, brought: Brought = {}, failure?: RefusalReason): Promise<Sent> {
  const { name, state, correlationId, now } = opening
  const query = { state, ...brought }
  const callback = { name, query, correlationId, now, ...(failure !== undefined && { failure }) }
  return { address: await finishAuthorization(parts, callback) }
}

function show(waiting: Waiting): Opened {
  const { provider, opening, session } = waiting
  const until = Math.min(confirmedUntil(waiting).getTime(), Date.parse(session.step_until!))
  const remainingSeconds = Math.max(0, Math.ceil((until - opening.now.getTime()) / SECOND))
  const cancelUrl = `${provider.callbackUri}?error=access_denied&state=${opening.state}`
  const pageUrl = `${provider.waitingUri}/page?state=${opening.state}`
  return { view: { serviceName: provider.serviceName, remainingSeconds, pageUrl, cancelUrl } }
}

const confirmedUntil = ({ opening: { now }, step: { push } }: Waiting): Date =>
  plus(push.since === undefined ? now : new Date(push.since), CONFIRMATION_MINUTES * MINUTE)
