import { isoText } from '@chancela/service-kernel/clock'
import { SecretProblem } from '@chancela/service-kernel/secrets'
import type { Db } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { handleHash, isHandle } from '../../rules/handle.ts'
import { refuse } from '../../rules/refuse.ts'
import type { SessionState } from '../../rules/session-states.ts'
import { type KnownSession, sessionByValue } from '../../store/known-sessions.ts'
import { grantContext } from '../../store/sealed-columns.ts'
import type { Tables } from '../../store/tables.ts'
import type { Grant, Provider, Providers } from '../../upstream/provider.ts'

/** The session of a value, in any state. One of another key is treated as unknown. */
export async function findSession(db: Db<Tables>, value: string, keyId: string): Promise<KnownSession> {
  const session = isHandle(value) ? await sessionByValue(db, handleHash(value)) : undefined
  if (session?.key_id !== keyId) throw refuse('SessionInvalidOrAlreadyUsed')
  return session
}

type Verdict = Extract<ErrorCode, 'SessionInvalidOrAlreadyUsed' | 'SessionExpired'> | 'usable'

/** The client's answer for each state. A used session that expired would no longer be accepted by the provider. */
const verdicts: Readonly<Record<SessionState, Verdict>> = {
  pending: 'SessionInvalidOrAlreadyUsed',
  authorized: 'usable',
  reserved: 'SessionInvalidOrAlreadyUsed',
  used: 'SessionInvalidOrAlreadyUsed',
  refused: 'SessionInvalidOrAlreadyUsed',
  late: 'SessionExpired',
  ended: 'SessionInvalidOrAlreadyUsed',
}

export function verdictOn(session: Pick<KnownSession, 'state' | 'expires_at'>, now: Date): Verdict {
  const verdict = verdicts[session.state]
  return verdict === 'usable' && isOver(session, now) ? 'SessionExpired' : verdict
}

export const isOver = ({ expires_at }: Pick<KnownSession, 'expires_at'>, now: Date): boolean =>
  expires_at <= isoText(now)

export function requireUsable(session: KnownSession, now: Date): void {
  const verdict = verdictOn(session, now)
  if (verdict !== 'usable') throw refuse(verdict)
}

/** A usable session with everything a provider call needs. */
export interface OpenSession {
  readonly row: KnownSession
  readonly grant: Grant
  readonly provider: Provider
}

/** A removed provider accepts no session any more. */
export function providerOf(providers: Providers, { provider_id }: Pick<KnownSession, 'provider_id'>): Provider {
  const provider = providers.get(provider_id)
  if (!provider) throw refuse('SessionInvalidOrAlreadyUsed')
  return provider
}

export function openGrant({ secrets, logger }: Context, { id, sealed_grant }: KnownSession): Grant {
  // Of authorized sessions, only the sweep deletes the grant, and only of expired ones.
  if (sealed_grant === null) throw refuse('SessionExpired')
  try {
    return JSON.parse(secrets.openText(sealed_grant, grantContext(id))) as Grant
  } catch (error) {
    if (!(error instanceof SecretProblem)) throw error
    logger.error({ err: error, sessionId: id }, 'session tokens cannot be decrypted')
    throw refuse('SessionInvalidOrAlreadyUsed')
  }
}

/** The grant as it is stored in the row. */
export const sealGrant = ({ secrets }: Context, { id }: Pick<KnownSession, 'id'>, grant: Grant): string =>
  secrets.seal(JSON.stringify(grant), grantContext(id))
