import type { Context } from '../../context.ts'
import { type KnownSession, moveSession } from '../../store/known-sessions.ts'
import { recordUse } from '../../store/uses.ts'
import type { Provider, Providers } from '../../upstream/provider.ts'
import { listOf } from './bound-list.ts'
import { findSession, openGrant, providerOf, requireUsable, verdictOn } from './open-session.ts'
import type { SessionCall } from './signing.ts'

/** The remaining allowance of a session. */
export async function sessionStatus(context: Context, providers: Providers, call: SessionCall) {
  const { store, clock } = context
  const session = await findSession(store.db, call.session, call.keyId)
  const now = clock()
  requireUsable(session, now)
  const { serviceName } = providerOf(providers, session)
  const remaining = Date.parse(session.expires_at) - now.getTime()
  return {
    serviceName,
    type: session.type,
    expiresAt: session.expires_at,
    remainingSeconds: Math.floor(remaining / 1000),
    ...(await whatIsLeft(context, session)),
  }
}

/** The hashes left of a list, or of those that the provider has bound the holder's consent to. */
async function whatIsLeft(context: Context, session: KnownSession) {
  const documents = await listOf(context, session)
  if (documents) return { remainingHashes: documents.filter(({ state }) => state === 'open').length, documents }
  const { boundTo } = openGrant(context, session)
  return boundTo && { remainingHashes: boundTo.length }
}

/** Ends a live session: deletes its tokens at once, then notifies the provider. */
export async function endSession(context: Context, providers: Providers, call: SessionCall): Promise<void> {
  const { store, clock } = context
  const row = await findSession(store.db, call.session, call.keyId)
  const now = clock()
  if (verdictOn(row, now) !== 'usable') return
  const isOurs = await store.transaction(async (tx) => {
    const set = { sealed_grant: null, ended_at: now.toISOString(), reason: 'ended-by-client' }
    if (!(await moveSession(tx, row.id, 'end', set))) return false
    await recordUse(tx, { session: row, action: 'end', outcome: 'ok', correlationId: call.correlationId }, now)
    return true
  })
  if (isOurs) await revoke(context, providers.get(row.provider_id), row)
}

/** The hub has already deleted the token: a failed notification of the provider is no reason to refuse. */
export async function revoke(context: Context, provider: Provider | undefined, row: KnownSession): Promise<void> {
  try {
    await provider?.adapter.revoke?.(openGrant(context, row))
  } catch (error) {
    context.logger.warn({ err: error, provider: provider?.serviceName, sessionId: row.id }, 'token revocation failed')
  }
}
