// The holder confirms on a phone while the browser waits at the hub. Opening the page rings the phone, once; opening it
// again asks the provider, at most once a second; what the provider says ends as if the user had come back with it.
import { MINUTE, plus, SECOND } from '@chancela/service-kernel/clock'
import { writeAlone } from '@chancela/service-kernel/store'
import { handleHash, isHandle } from '../rules/handle.ts'
import { creationById } from '../store/creations.ts'
import { replaceStep, sessionOfState } from '../store/sessions.ts'
import type { SessionRow } from '../store/tables.ts'
import { authorizationOrder } from '../upstream/authorization-order.ts'
import { type KeptPush, type KeptStep, openStep, sealKeptStep } from '../upstream/authorization-steps.ts'
import type { Provider, Push } from '../upstream/provider.ts'
import { isAilment, ProviderProblem } from '../upstream/provider-problem.ts'
import type { RefusalReason } from './callback-outcomes.ts'
import { type CallbackParts, finishAuthorization } from './finish-authorization.ts'

/** How long the provider waits for the holder (cloud-hub facts 1.5). */
const CONFIRMATION_MINUTES = 2

/** Time between two questions. */
const PATIENCE = SECOND

/** Somebody opens the page; anybody can. */
interface Opening {
  /** The provider whose page it is. */
  readonly name: string
  readonly state: unknown
  /** False for one that only looks, such as a browser that loads pages before anybody wants them: no phone rings. */
  readonly acts: boolean
  readonly correlationId: string
  readonly now: Date
}

/** What the page says. */
export interface WaitingView {
  readonly serviceName: string
  readonly remainingSeconds: number
  /** Where the user goes who gives up. */
  readonly cancelUrl: string
}

/** The page, or where the user goes; nothing for nowhere. */
type Opened = { readonly view: WaitingView } | { readonly address: string | undefined }

const nowhere: Opened = { address: undefined }

/** A user who waits, and what belongs to the waiting. */
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
  // Too late as at the way back from a provider, which tells so itself.
  if (now.toISOString() >= session.step_until!) return finish(waiting)
  if (now >= confirmedUntil(waiting)) return finish(waiting, {}, 'unconfirmed')
  if (!acts) return show(waiting)
  return step.push.since === undefined ? ring(waiting, push) : ask(waiting, push)
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

/** Rings the phone; of two that open the page at once, one does. */
async function ring(waiting: Waiting, push: Push): Promise<Opened> {
  const { parts, opening, provider, session, step } = waiting
  const since = opening.now.toISOString()
  const rung = await keep(waiting, { since })
  if (!rung) return show(waiting)
  try {
    const creation = await creationById(parts.context.store.db, session.creation_id)
    const code = await push.start(authorizationOrder(creation, provider), step.secret)
    await keep(rung, { since, code, asked: since })
    return show(rung)
  } catch (problem) {
    if (problem instanceof ProviderProblem) return finish(waiting, {}, problem.kind)
    throw problem
  }
}

/** Asks the provider what the holder said. While it is not well itself, the holder may still be about to confirm. */
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

/** Writes how far it is; nothing where somebody else was faster, or the session does not wait any more. */
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

/** Ends it as if the user had come back from the provider with this: the state is good for this once. */
async function finish({ parts, opening }: Waiting, brought: Brought = {}, failure?: RefusalReason): Promise<Opened> {
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
  return { view: { serviceName: provider.serviceName, remainingSeconds, cancelUrl } }
}

const confirmedUntil = ({ opening: { now }, step: { push } }: Waiting): Date =>
  plus(push.since === undefined ? now : new Date(push.since), CONFIRMATION_MINUTES * MINUTE)
