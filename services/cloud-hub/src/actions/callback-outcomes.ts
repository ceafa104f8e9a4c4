// What happens to a session when its user returns: each outcome mints its value, and is written with its audit.
import { HOUR, plus } from '@chancela/service-kernel/clock'
import { move } from '@chancela/service-kernel/store'
import type { Context } from '../context.ts'
import type { HubMetrics } from '../metrics.ts'
import { sealGrant } from '../parts/signing/open-session.ts'
import { handleHash, newHandle } from '../rules/handle.ts'
import { sessionMoves } from '../rules/session-states.ts'
import { insertList } from '../store/listed-hashes.ts'
import type { Creation, SessionRow } from '../store/tables.ts'
import { recordUse, type SessionUse } from '../store/uses.ts'
import { knownHashesOf } from '../upstream/authorization-order.ts'
import type { AuthorizationStep, Grant, Provider } from '../upstream/provider.ts'
import type { ProviderProblemKind } from '../upstream/provider-problem.ts'

/** A returning user: the waiting session, and the related objects. */
export interface Visit {
  readonly context: Context
  readonly metrics: HubMetrics
  readonly session: SessionRow
  readonly creation: Creation
  readonly provider: Provider
  readonly secret: AuthorizationStep['secret']
  readonly correlationId: string
  readonly now: Date
}

/** Why a session was never authorized; codes for the admin page. */
export type RefusalReason =
  | 'mix-up'
  | 'redirect-uri-gone'
  | 'denied'
  | 'provider-error'
  | 'another-holder'
  | 'unconfirmed'
  | ProviderProblemKind

/** Refusals by the holder, not the provider. */
const DENIALS: readonly RefusalReason[] = ['denied', 'another-holder']

/** Refuses the session. Its value cannot be used. */
export function refuseSession(visit: Visit, reason: RefusalReason): Promise<string | undefined> {
  const { context, session, provider, now } = visit
  context.logger.info({ provider: provider.serviceName, id: session.id, reason }, 'authorization failed')
  const counted = DENIALS.includes(reason) ? 'denied' : 'failed'
  return settle(visit, { move: 'refuse', set: { ended_at: now.toISOString(), reason }, outcome: reason, counted })
}

/** The holder took too long: the session is expired from the start, and the code is not exchanged. */
export function comeLate(visit: Visit): Promise<string | undefined> {
  const set = { ended_at: visit.now.toISOString(), reason: 'late' }
  return settle(visit, { move: 'comeLate', set, outcome: 'late', counted: 'late' })
}

/** The holder consented. No session outlives the client's requested lifetime, nor the provider's grant. */
export function authorizeSession(visit: Visit, grant: Grant, milliseconds: number): Promise<string | undefined> {
  const { context, session, creation, now } = visit
  const expiresAt = new Date(Math.min(Date.parse(creation.expires_at), Date.parse(grant.expiresAt)))
  const set = {
    sealed_grant: sealGrant(context, session, grant),
    authorized_at: now.toISOString(),
    expires_at: expiresAt.toISOString(),
    purge_at: plus(expiresAt, context.settings.Sessions.TombstoneHours * HOUR).toISOString(),
  }
  return settle(visit, {
    move: 'authorize',
    set,
    outcome: 'ok',
    counted: 'authorized',
    milliseconds,
    isBound: session.list_size !== null,
  })
}

interface Settlement {
  readonly move: keyof typeof sessionMoves
  readonly set: Partial<SessionRow>
  readonly outcome: string
  readonly counted: 'authorized' | 'denied' | 'failed' | 'late'
  /** At the provider. */
  readonly milliseconds?: number
  /** Whether the list of the creation becomes that of the session. */
  readonly isBound?: boolean
}

/** Moves the session and mints its value; undefined when it no longer waits. */
async function settle(
  { context, metrics, session, creation, correlationId, now }: Visit,
  { move: name, set, outcome, counted, milliseconds, isBound = false }: Settlement,
): Promise<string | undefined> {
  const value = newHandle()
  const changes = { ...set, value_hash: handleHash(value), sealed_step: null }
  const use: SessionUse = {
    session,
    action: 'authorize',
    outcome,
    correlationId,
    ...(milliseconds !== undefined && { milliseconds }),
  }
  const moved = await context.store.transaction(async (tx) => {
    const { id } = session
    const row = await move(tx, { table: 'session', column: 'state', id, moves: sessionMoves, move: name, set: changes })
    if (row && isBound) await insertList(tx, id, knownHashesOf(creation))
    if (row) await recordUse(tx, use, now)
    return row
  })
  if (!moved) return undefined
  metrics.hub_session_authorizations_total.inc({ outcome: counted })
  return value
}
