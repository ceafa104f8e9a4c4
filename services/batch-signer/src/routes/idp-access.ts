// Sessions of people who signed in at the identity provider (spec 2, Authentication; batch-signer facts 5.6).
import { createHash, randomUUID } from 'node:crypto'
import { type Claims, IdentityProvider, OidcTrip, type Step, watchProvider } from '@chancela/admin-console'
import { DAY, HOUR } from '@chancela/service-kernel/clock'
import { type App, type Call, cookieSessions, endedSessions } from '@chancela/service-kernel/http'
import type { Context } from '../context.ts'
import { finishIdpLogin } from '../contract/auth.ts'
import { type IdpPerson, idpPerson, isWholePerson, landingPage } from '../rules/idp-person.ts'
import type { BatchSignerSettings } from '../settings.ts'
import { closeWindow } from '../store/approver-factors.ts'
import type { ApproverSession } from './approver-access.ts'

type Request = Call['request']

/** The content of a cookie. */
interface IdpSession extends IdpPerson {
  /** The provider's own id of the session, if it has one. */
  readonly sessionId: string
}

export interface IdpAccess {
  readonly cookieName: string
  /** Sends the browser to the provider. */
  begin(request: Request, returnUrl: string): Promise<Step>
  /** Handles its return: a session for whoever has a role here. */
  finish(request: Request): Promise<Step>
  /** Who signed in; nobody for a cross-site call that changes something. */
  find(request: Request): Promise<IdpPerson | undefined>
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

type AccessContext = Pick<Context, 'settings' | 'clock' | 'secrets' | 'store' | 'readiness' | 'logger'>

/** Opens the way to the identity provider; undefined where none is configured. */
export function idpAccess(context: AccessContext): IdpAccess | undefined {
  const { settings, clock, secrets, store, readiness, logger } = context
  const { Idp, CookieName, SessionHours } = settings.Auth
  if (!Idp) return undefined
  const provider = new IdentityProvider(Idp, clock)
  watchProvider({ clock, readiness }, provider)
  const ended = endedSessions(store)
  const cookieName = `${CookieName}-idp`
  const publicUrl = settings.Http.PublicUrl
  const sealed = { secrets, clock, publicUrl }
  const sessions = cookieSessions<IdpSession>({
    ...sealed,
    cookieName,
    context: sessionContext(Idp),
    idle: SessionHours * HOUR,
    longest: LONGEST,
    // The first page is a navigation from the provider's site.
    sameSite: 'Lax',
    ended,
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

  const admit = async (claims: Claims, { returnTo = '/' }: { readonly returnTo?: string | undefined }) => {
    const person = idpPerson(claims, Idp.RolesClaim)
    if (typeof person === 'string') {
      logger.warn({ subject: claims.sub, reason: person }, 'the identity provider named somebody without a role here')
      return { to: ACCESS_DENIED, cookies: [sessions.end()] }
    }
    logger.info({ subject: claims.sub, roles: person.roles }, 'somebody signed in at the identity provider')
    const cookie = sessions.begin({ ...person, sessionId: sessionIdIn(claims) })
    return { to: landingPage(person, returnTo), cookies: [cookie] }
  }

  return {
    cookieName,
    begin: (request, returnUrl) => trip.begin(request, returnUrl.length > LONGEST_RETURN_URL ? undefined : returnUrl),
    finish: (request) => trip.finish(request, admit),
    find: (request) => sessions.findLive(request),
    findApprover: async (request) => {
      const session = await sessions.findLive(request)
      return session?.roles.includes('Approver') && session.email !== null
        ? { email: session.email, method: 'IdpEmail', sessionId: session.sessionId }
        : undefined
    },
    signOut: async (request) => {
      const session = await sessions.findLive(request)
      if (session) await closeWindow(store.db, session.sessionId)
      return sessions.endFor(request)
    },
    slideOn: (app) => sessions.slideOn(app),
  }
}

/** A page of the dashboard's bundle. */
const ACCESS_DENIED = '/access-denied'

/** Another provider, client or claim of roles ends every session. */
const sessionContext = ({ Issuer, ClientId, RolesClaim }: NonNullable<BatchSignerSettings['Auth']['Idp']>): string =>
  `idp-session/${createHash('sha256')
    .update(JSON.stringify([Issuer, ClientId, RolesClaim]))
    .digest('hex')}`

const LONGEST_SESSION_ID = 200

const sessionIdIn = ({ sid }: Claims): string =>
  typeof sid === 'string' && sid !== '' && sid.length <= LONGEST_SESSION_ID ? sid : randomUUID()
