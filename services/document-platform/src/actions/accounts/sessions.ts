// The sessions of an account, as its owner sees and ends them.
import { HOUR, plus } from '@chancela/service-kernel/clock'
import { LONGEST_SESSION } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { personOf } from '../../parts/access/signed-in.ts'
import type { Caller } from '../../rules/caller.ts'
import { refuse } from '../../rules/refuse.ts'
import { endSession, endSessionsOf, sessionsOf, switchSession } from '../../store/account-sessions.ts'
import { findAccount } from '../../store/accounts.ts'

/** Where the owner of the account is signed in; of other organizations it is told to the owner alone. */
export async function listedSessions({ store, settings }: Context, { accountId, sessionId }: Caller, now: Date) {
  const found = await sessionsOf(store.db, accountId!, {
    begunAfter: plus(now, -LONGEST_SESSION),
    seenAfter: plus(now, -settings.Auth.SessionHours * HOUR),
  })
  return found.map((session) => ({
    id: session.id,
    organization: { id: session.organization_id, name: session.organization_name },
    creationDate: session.created_at,
    lastUseDate: session.seen_at,
    ipAddress: session.ip,
    userAgent: session.user_agent,
    isCurrent: session.id === sessionId,
  }))
}

export async function endOneSession({ store }: Context, { accountId }: Caller, id: string, now: Date): Promise<void> {
  const own = { id: id.toLowerCase(), accountId: accountId! }
  const ended = await store.transaction((tx) => endSession(tx, own, now))
  if (!ended) throw refuse('SessionNotFound', { id })
}

/** Signs the account out everywhere but here. */
export async function endOtherSessions({ store }: Context, { accountId, sessionId }: Caller, now: Date) {
  const but = sessionId!
  return { ended: (await store.transaction((tx) => endSessionsOf(tx, accountId!, { but }, now))).length }
}

/** From now on the session acts for another organization of the account. */
export async function switchOrganization({ store }: Context, caller: Caller, organizationId: string) {
  const account = await findAccount(store.db, caller.accountId!)
  const person = account && (await personOf(store.db, account, organizationId.toLowerCase()))
  if (!person) throw refuse('OrganizationNotFound', { id: organizationId })
  await store.transaction((tx) => switchSession(tx, caller.sessionId!, person.current.id))
  return { ...person, sessionId: caller.sessionId! }
}
