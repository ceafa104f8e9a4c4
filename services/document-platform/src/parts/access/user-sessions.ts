// Users who sign in at the pages: an e-mail address and a password, then a sealed cookie.
import { createHash } from 'node:crypto'
import { HOUR } from '@chancela/service-kernel/clock'
import { type App, type Call, cookieSessions, isSameOrigin } from '@chancela/service-kernel/http'
import { isPassword } from '@chancela/service-kernel/secrets'
import type { Context } from '../../context.ts'
import type { Caller } from '../../rules/caller.ts'
import { refuse } from '../../rules/refuse.ts'
import { SYSTEM_ORGANIZATION } from '../../rules/system-organization.ts'
import { accountByEmail, findAccount } from '../../store/accounts.ts'
import { membershipsOf } from '../../store/member-reads.ts'
import type { AccountRow } from '../../store/tables.ts'
import type { UserSessions } from './access.ts'

/** The signed-in person and the current organization. */
export interface SignedIn {
  readonly account: AccountRow
  readonly memberships: readonly Membership[]
  readonly current: Membership
}

type Membership = Awaited<ReturnType<typeof membershipsOf>>[number]

/** What a cookie holds. */
interface Session {
  readonly accountId: string
  readonly organizationId: string
  /** Derived from the password: changing the password ends the session. */
  readonly stamp: string
}

type Request = Call['request']

/** Sessions of users; identity and rights are read anew for every call. */
export interface SignInAccess extends UserSessions {
  /** The Set-Cookie header for a person who gives the right password. */
  signIn(email: string, password: string): Promise<{ readonly cookie: string; readonly who: SignedIn }>
  /** The Set-Cookie header for the owner of an account who just proved it, for one of its organizations. */
  begin(accountId: string, organizationId: string): Promise<{ readonly cookie: string; readonly who: SignedIn }>
  /** The Set-Cookie header that ends the session; nothing for a call that another site made. */
  signOut(request: Request): string | undefined
  /** The Set-Cookie header to act for another organization from now on. */
  switchTo(caller: Caller, organizationId: string): Promise<{ readonly cookie: string; readonly who: SignedIn }>
  signedIn(caller: Caller): Promise<SignedIn>
  /** Renews the sessions in use. */
  slideOn(app: App): void
}

export function userSessions(context: Pick<Context, 'settings' | 'store' | 'secrets' | 'clock'>): SignInAccess {
  const { settings, store, secrets, clock } = context
  const sessions = cookieSessions<Session>({
    cookieName: settings.Auth.CookieName,
    context: 'user-session',
    idle: settings.Auth.SessionHours * HOUR,
    publicUrl: settings.Http.PublicUrl,
    secrets,
    clock,
  })
  const begun = (who: SignedIn) => ({
    cookie: sessions.begin({ accountId: who.account.id, organizationId: who.current.id, stamp: stampOf(who.account) }),
    who,
  })
  const read = async (accountId: string, organizationId?: string): Promise<SignedIn | undefined> => {
    const account = await findAccount(store.db, accountId)
    const memberships = account ? await membershipsOf(store.db, account.id) : []
    const current = memberships.find(({ id }) => organizationId === undefined || id === organizationId)
    return account && current && { account, memberships, current }
  }

  return {
    async find(request) {
      const session = sessions.find(request)
      const who = session && (await read(session.accountId, session.organizationId))
      return who && session.stamp === stampOf(who.account) ? callerOf(who) : undefined
    },
    async signIn(email, password) {
      const account = await accountByEmail(store.db, email)
      const isRight = await isPassword(password, account?.password_hash, settings.Auth.PasswordCost)
      const who = isRight ? await read(account!.id) : undefined
      if (!who) throw refuse('InvalidCredentials')
      return begun(who)
    },
    async begin(accountId, organizationId) {
      const who = await read(accountId, organizationId)
      if (!who) throw refuse('InvalidCredentials')
      return begun(who)
    },
    signOut: (request) => (isSameOrigin(request, settings.Http.PublicUrl) ? sessions.end() : undefined),
    async switchTo({ accountId }, organizationId) {
      const who = await read(accountId!, organizationId.toLowerCase())
      if (!who) throw refuse('OrganizationNotFound', { id: organizationId })
      return begun(who)
    },
    async signedIn({ accountId, organizationId }) {
      const who = await read(accountId!, organizationId)
      if (!who) throw refuse('Unauthorized')
      return who
    },
    slideOn: (app) => sessions.slideOn(app),
  }
}

const stampOf = ({ password_hash }: AccountRow): string =>
  createHash('sha256')
    .update(password_hash ?? '')
    .digest('base64url')

/** What a user is to the organization of the session. */
export function callerOf({ account, current }: SignedIn): Caller {
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
  }
}
