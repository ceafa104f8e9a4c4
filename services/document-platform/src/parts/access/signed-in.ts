// Who is signed in: an account, and the user it is in one of its organizations.
import type { Db } from '@chancela/service-kernel/store'
import type { Caller } from '../../rules/caller.ts'
import { SYSTEM_ORGANIZATION } from '../../rules/system-organization.ts'
import { membershipsOf } from '../../store/member-reads.ts'
import type { AccountRow, SignInWay, Tables } from '../../store/tables.ts'

type Membership = Awaited<ReturnType<typeof membershipsOf>>[number]

/** An account, its organizations, and the one that it acts for. */
export interface Person {
  readonly account: AccountRow
  readonly memberships: readonly Membership[]
  readonly current: Membership
}

/** The same with the session of a browser. */
export interface SignedIn extends Person {
  readonly sessionId: string
  readonly way: SignInWay
  /** When they last proved who they are. */
  readonly provedAt: string | null
}

/** Whether the account has a second factor, or needs one; an identity provider looks after those who sign in there. */
export function secondFactorOf({ account, current, way }: SignedIn): 'on' | 'off' | 'to-enrol' {
  if (account.sealed_totp !== null) return 'on'
  return current.require_second_factor === 1 && way === 'password' ? 'to-enrol' : 'off'
}

/** Whoever an account is in this organization, or in the first of its own; nobody where it is no user. */
export async function personOf(
  db: Db<Tables>,
  account: AccountRow,
  organizationId?: string,
): Promise<Person | undefined> {
  const memberships = await membershipsOf(db, account.id)
  const current = memberships.find(({ id }) => organizationId === undefined || id === organizationId)
  return current && { account, memberships, current }
}

/** What a user is to the organization of the session. */
export function callerOf(who: SignedIn, ip: string): Caller {
  const { account, current, sessionId, way, provedAt } = who
  const rights = {
    administrator: current.administrator === 1,
    manager: current.manager === 1,
    operator: current.operator === 1,
  }
  return {
    id: current.contact_id,
    name: current.contact_name,
    type: 'User',
    organizationId: current.id,
    role: current.id === SYSTEM_ORGANIZATION && rights.administrator ? 'Administration' : 'Organization',
    rights,
    folderIds: null,
    accountId: account.id,
    sessionId,
    proof: { way, at: provedAt },
    mustEnrol: secondFactorOf(who) === 'to-enrol',
    ip,
  }
}
