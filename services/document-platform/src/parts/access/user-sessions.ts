// Users who sign in at the pages: an e-mail address and a password, then a sealed cookie.
import { createHash } from 'node:crypto'
import { HOUR } from '@chancela/service-kernel/clock'
import { type App, type Call, cookieSessions, isSameOrigin } from '@chancela/service-kernel/http'
import { isPassword } from '@chancela/service-kernel/secrets'
import type { Context } from '../../context.ts'
import type { Caller } from '../../rules/caller.ts'
import { refuse } from '../../rules/refuse.ts'
import { SYSTEM_ORGANIZATION } from '../../rules/system-organization.ts'
import { membershipsOf } from '../../store/member-reads.ts'
import type { PersonRow } from '../../store/tables.ts'
import type { UserSessions } from './access.ts'

/** The signed-in person and the current organization. */
export interface SignedIn {
  readonly person: PersonRow
  readonly memberships: readonly Membership[]
  readonly current: Membership
}

type Membership = Awaited<ReturnType<typeof membershipsOf>>[number]

/** What a cookie holds. */
interface Session {
  readonly personId: string
  readonly organizationId: string
  /** Derived from the password: changing the password ends the session. */
  readonly stamp: string
}

type Request = Call['request']

/** Sessions of users; identity and rights are read anew for every call. */
export interface SignInAccess extends UserSessions {
  /** The Set-Cookie header for a person who gives the right password. */
  signIn(email: string, password: string): Promise<{ readonly cookie: string; readonly who: SignedIn }>
  /** The Set-Cookie header that ends the session; undefined for a cross-site request. */
  signOut(request: Request): string | undefined
  /** The Set-Cookie header that switches the session to another organization. */
  switchTo(personId: string, organizationId: string): Promise<{ readonly cookie: string; readonly who: SignedIn }>
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
    cookie: sessions.begin({ personId: who.person.id, organizationId: who.current.id, stamp: stampOf(who.person) }),
    who,
  })
  const read = async (personId: string, organizationId?: string): Promise<SignedIn | undefined> => {
    const person = await store.db.selectFrom('person').selectAll().where('id', '=', personId).executeTakeFirst()
    const memberships = person ? await membershipsOf(store.db, person.id) : []
    const current = memberships.find(({ id }) => organizationId === undefined || id === organizationId)
    return person && current && { person, memberships, current }
  }

  return {
    async find(request) {
      const session = sessions.find(request)
      const who = session && (await read(session.personId, session.organizationId))
      return who && session.stamp === stampOf(who.person) ? callerOf(who) : undefined
    },
    async signIn(email, password) {
      const person = await store.db
        .selectFrom('person')
        .select(['id', 'password_hash'])
        .where('email', '=', email.trim().toLowerCase())
        .where('password_hash', 'is not', null)
        .executeTakeFirst()
      const isRight = await isPassword(password, person?.password_hash, settings.Auth.PasswordCost)
      const who = isRight ? await read(person!.id) : undefined
      if (!who) throw refuse('InvalidCredentials')
      return begun(who)
    },
    signOut: (request) => (isSameOrigin(request, settings.Http.PublicUrl) ? sessions.end() : undefined),
    async switchTo(personId, organizationId) {
      const who = await read(personId, organizationId.toLowerCase())
      if (!who) throw refuse('OrganizationNotFound', { id: organizationId })
      return begun(who)
    },
    async signedIn({ id, organizationId }) {
      const who = await read(id, organizationId)
      if (!who) throw refuse('Unauthorized')
      return who
    },
    slideOn: (app) => sessions.slideOn(app),
  }
}

const stampOf = ({ password_hash }: PersonRow): string =>
  createHash('sha256')
    .update(password_hash ?? '')
    .digest('base64url')

function callerOf({ person, current }: SignedIn): Caller {
  const rights = {
    administrator: current.administrator === 1,
    manager: current.manager === 1,
    operator: current.operator === 1,
  }
  return {
    id: person.id,
    name: person.name,
    type: 'User',
    organizationId: current.id,
    role: current.id === SYSTEM_ORGANIZATION && rights.administrator ? 'Administration' : 'Organization',
    rights,
    folderIds: null,
    personId: person.id,
  }
}
