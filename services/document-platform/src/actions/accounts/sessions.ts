// The sessions of an account, as its owner sees and ends them.
import { HOUR, plus } from '@chancela/service-kernel/clock'
import { LONGEST_SESSION } from '@chancela/service-kernel/http'
import { writeAlone } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import { type Person, personOf } from '../../parts/access/signed-in.ts'
import type { Caller } from '../../rules/caller.ts'
import { refuse } from '../../rules/refuse.ts'
import {
  type Browser,
  endSession,
  endSessionsOf,
  noteProof,
  sessionsOf,
  switchSession,
} from '../../store/account-sessions.ts'
import { findAccount } from '../../store/accounts.ts'
import { membershipsOf } from '../../store/member-reads.ts'
import type { AccountSessionRow, Tables } from '../../store/tables.ts'
import { type Proof, requireOwner } from './prove-owner.ts'
import { byUser } from './sign-in.ts'

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

/** The user of the session shows again who they are; the identity provider asks those who signed in there. */
export async function proveSession(context: Context, caller: Caller, proof: Proof, now: Date): Promise<void> {
  if (caller.proof?.way === 'oidc') throw refuse('ProofAtIdentityProvider')
  await requireOwner(context, caller, proof, now)
  await writeAlone(context.store, (db) => noteProof(db, caller.sessionId!, now))
}

export const endOneSession = (context: Context, caller: Caller, id: string, now: Date): Promise<void> =>
  context.store.transaction(async (tx) => {
    const ended = await endSession(tx, { id: id.toLowerCase(), accountId: caller.accountId! }, now)
    if (!ended) throw refuse('SessionNotFound', { id })
    await recordEnded(context, tx, caller, [ended], now)
  })

/** Signs the account out everywhere but here. */
export const endOtherSessions = (context: Context, caller: Caller, now: Date): Promise<{ readonly ended: number }> =>
  context.store.transaction(async (tx) => {
    const ended = await endSessionsOf(tx, caller.accountId!, { but: caller.sessionId! }, now)
    await recordEnded(context, tx, caller, ended, now)
    return { ended: ended.length }
  })

/** Each organization is told of the sessions that were for it. */
async function recordEnded(
  { audit }: Context,
  tx: Transaction<Tables>,
  { accountId, ip }: Caller,
  ended: readonly AccountSessionRow[],
  now: Date,
): Promise<void> {
  const memberships = await membershipsOf(tx, accountId!)
  for (const current of [...memberships].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const sessions = ended.filter(({ organization_id }) => organization_id === current.id).length
    if (sessions > 0)
      await audit.record(tx, { kind: 'SessionsEnded', ...byUser({ current }, ip), after: { sessions } }, now)
  }
}

/** Ends the session that a browser has. */
export const signOut = ({ store, audit }: Context, { sessionId: id, ip }: Browser, now: Date): Promise<void> =>
  store.transaction(async (tx) => {
    const ended = id === undefined ? undefined : await endSession(tx, { id }, now)
    const memberships = ended ? await membershipsOf(tx, ended.account_id) : []
    const current = memberships.find((each) => each.id === ended?.organization_id)
    if (current) await audit.record(tx, { kind: 'SignedOut', ...byUser({ current }, ip) }, now)
  })

/** From now on the session acts for another organization of the account. */
export async function switchOrganization(
  { store, audit }: Context,
  caller: Caller,
  organizationId: string,
  now: Date,
): Promise<Person> {
  const account = await findAccount(store.db, caller.accountId!)
  const person = account && (await personOf(store.db, account, organizationId.toLowerCase()))
  if (!person) throw refuse('OrganizationNotFound', { id: organizationId })
  await store.transaction(async (tx) => {
    await switchSession(tx, caller.sessionId!, person.current.id)
    await audit.record(tx, { kind: 'OrganizationEntered', ...byUser(person, caller.ip) }, now)
  })
  return person
}
