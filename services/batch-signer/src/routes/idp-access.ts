// Sessions of people who signed in at the identity provider (spec 2, Authentication; batch-signer facts 5.6).
import { type Claims, IdentityProvider, OidcTrip, type Step, watchProvider } from '@chancela/admin-console'
import { DAY, HOUR } from '@chancela/service-kernel/clock'
import {
  type App,
  type Call,
  clientAddress,
  endedSessions,
  type LiveSession,
  listedSessions,
} from '@chancela/service-kernel/http'
import type { Context } from '../context.ts'
import { finishIdpLogin } from '../contract/auth.ts'
import { idpRealm } from '../parts/session-realms.ts'
import { signedInAs } from '../rules/actor.ts'
import { type IdpPerson, idpPerson, isOperator, isWholePerson, landingPage, NAMELESS } from '../rules/idp-person.ts'
import { type SessionHolder, whoOf } from '../rules/session-holder.ts'
import { closeWindow } from '../store/approver-factors.ts'
import type { Tables } from '../store/tables.ts'
import type { ApproverSession } from './approver-access.ts'

type Request = Call['request']

/** The content of a cookie. */
interface IdpSession extends IdpPerson {
  /** Of the person at the provider. */
  readonly subject: string
}

export interface IdpAccess {
  readonly cookieName: string
  /** Sends the browser to the provider. */
  begin(request: Request, returnUrl: string): Promise<Step>
  /** Handles its return: a session for whoever has a role here. */
  finish(request: Request): Promise<Step>
  /** Who signed in; nobody for a cross-site call that changes something. */
  find(request: Request): Promise<(IdpPerson & LiveSession) | undefined>
  /** The approver of a call, for whom the role of an operator is neither needed nor in the way. */
  findApprover(request: Request): Promise<ApproverSession | undefined>
  /** Ends the session of a call here, not at the provider, for every copy of its cookie. */
  signOut(request: Request): Promise<string>
  /** Renews the cookies of callers of the app while they keep calling. */
  slideOn(app: App): void
}

/** Roles are read when somebody signs in: one that is withdrawn at the provider ends here within a day. */
const LONGEST = DAY

/** A page with a longer address does not fit into the cookie. */
const LONGEST_RETURN_URL = 1_000

type AccessContext = Pick<Context, 'settings' | 'clock' | 'secrets' | 'store' | 'events' | 'readiness' | 'logger'>

/** Opens the way to the identity provider; undefined where none is configured. */
export function idpAccess(context: AccessContext): IdpAccess | undefined {
  const { settings, clock, secrets, store, events, readiness, logger } = context
  const { Idp, CookieName, SessionHours } = settings.Auth
  if (!Idp) return undefined
  const provider = new IdentityProvider(Idp, clock)
  watchProvider({ clock, readiness }, provider)
  const ended = endedSessions(store)
  const cookieName = `${CookieName}-idp`
  const publicUrl = settings.Http.PublicUrl
  const sealed = { secrets, clock, publicUrl }
  const realm = idpRealm(Idp)
  const holderOf = ({ subject, ...person }: IdpSession): SessionHolder => ({
    kind: isOperator(person) ? 'operator' : 'approver',
    way: 'identity-provider',
    realm,
    subject,
  })
  const sessions = listedSessions<IdpSession, Tables>({
    ...sealed,
    cookieName,
    context: `idp-session/${realm}`,
    idle: SessionHours * HOUR,
    longest: LONGEST,
    // The first page is a navigation from the provider's site.
    sameSite: 'Lax',
    store,
  })
  const trip = new OidcTrip({
    ...sealed,
    provider,
    logger,
    cookieName: `${cookieName}-trip`,
    context: 'idp-sign-in',
    callback: finishIdpLogin.path,
    suffice: (claims) => isWholePerson(claims, Idp.RolesClaim),
    isFirst: (id, until, now) => ended.note(id, until, now),
  })

  const admit = async (
    claims: Claims,
    { returnTo = '/' }: { readonly returnTo?: string | undefined },
    request: Request,
  ) => {
    const person = idpPerson(claims, Idp.RolesClaim)
    if (typeof person === 'string') {
      logger.warn({ subject: claims.sub, reason: person }, 'the identity provider named somebody without a role here')
      return { to: ACCESS_DENIED, cookies: [await sessions.end(request)] }
    }
    logger.info({ subject: claims.sub, roles: person.roles }, 'somebody signed in at the identity provider')
    const session = { ...person, subject: String(claims.sub) }
    const holder = {
      who: whoOf(holderOf(session)),
      label: person.name === NAMELESS ? (person.email ?? session.subject) : person.name,
    }
    const cookie = await sessions.begin(request, holder, session)
    if (isOperator(person)) await events.record(store.db, signedInAs(person.name, clientAddress(request)))
    return { to: landingPage(person, returnTo), cookies: [cookie] }
  }

  return {
    cookieName,
    begin: (request, returnUrl) => trip.begin(request, returnUrl.length > LONGEST_RETURN_URL ? undefined : returnUrl),
    finish: (request) => trip.finish(request, (claims, begun) => admit(claims, begun, request)),
    find: (request) => sessions.find(request),
    findApprover: async (request) => {
      const session = await sessions.find(request)
      if (!session?.roles.includes('Approver') || session.email === null) return undefined
      const { email, sid } = session
      return { email, method: 'IdpEmail', sessionId: sid, address: clientAddress(request), holder: holderOf(session) }
    },
    signOut: async (request) => {
      const session = await sessions.find(request)
      if (session) await closeWindow(store.db, session.sid)
      return sessions.end(request)
    },
    slideOn: (app) => sessions.slideOn(app),
  }
}

/** A page of the dashboard's bundle. */
const ACCESS_DENIED = '/access-denied'
