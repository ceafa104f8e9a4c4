// Sessions of users at the pages: a row each, and a sealed cookie that names it.
import { createHash } from 'node:crypto'
import { HOUR, MINUTE } from '@chancela/service-kernel/clock'
import { type App, type Call, clientAddress, cookieSessions, isSameOrigin } from '@chancela/service-kernel/http'
import { writeAlone } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import { type Browser, liveSession, noteSeen } from '../../store/account-sessions.ts'
import type { AccountRow } from '../../store/tables.ts'
import type { UserSessions } from './access.ts'
import { callerOf, personOf, type SignedIn } from './signed-in.ts'

/** What a cookie holds. */
interface Cookie {
  readonly sessionId: string
  /** Of password and second factor: a session that began while either changed does not outlive the change. */
  readonly stamp: string
}

type Request = Call['request']

/** Sessions of users; identity and rights are read anew for every call. */
export interface SignInAccess extends UserSessions {
  /** Who makes a call, as `find` but with all that is known of them. */
  signedIn(request: Request): Promise<SignedIn | undefined>
  /** The browser of a call that signs somebody in. */
  browserOf(request: Request): Browser
  /** The Set-Cookie header for a session that has begun, or whose account has another password or second factor. */
  cookieOf(who: Pick<SignedIn, 'sessionId' | 'account'>): string
  /** The Set-Cookie header that takes the cookie away; nothing for a call that another site made. */
  cookieToEnd(request: Request): string | undefined
  /** Renews the sessions in use. */
  slideOn(app: App): void
}

/** A session is noted as seen at most this often, not with every call. */
const SEEN_EVERY = MINUTE

export function userSessions({
  settings,
  store,
  secrets,
  clock,
}: Pick<Context, 'settings' | 'store' | 'secrets' | 'clock'>): SignInAccess {
  const cookies = cookieSessions<Cookie>({
    cookieName: settings.Auth.CookieName,
    context: 'account-session',
    idle: settings.Auth.SessionHours * HOUR,
    publicUrl: settings.Http.PublicUrl,
    secrets,
    clock,
  })
  const signedIn = async (request: Request): Promise<SignedIn | undefined> => {
    const cookie = cookies.find(request)
    const live = cookie && (await liveSession(store.db, cookie.sessionId))
    if (!live || cookie.stamp !== stampOf(live.account)) return undefined
    if (live.way === 'oidc' && !settings.Oidc.Enabled) return undefined
    const person = await personOf(store.db, live.account, live.organizationId)
    const now = clock()
    if (person && now.getTime() - Date.parse(live.seenAt) >= SEEN_EVERY)
      await writeAlone(store, (db) => noteSeen(db, live.sessionId, now))
    return person && { ...person, sessionId: live.sessionId, way: live.way, provedAt: live.provedAt }
  }

  return {
    signedIn,
    async find(request) {
      const who = await signedIn(request)
      return who && callerOf(who, clientAddress(request))
    },
    browserOf: (request) => ({
      ip: clientAddress(request),
      userAgent: request.headers['user-agent'] ?? '',
      sessionId: cookies.find(request)?.sessionId,
    }),
    cookieOf: ({ sessionId, account }) => cookies.begin({ sessionId, stamp: stampOf(account) }),
    cookieToEnd: (request) => (isSameOrigin(request, settings.Http.PublicUrl) ? cookies.end() : undefined),
    slideOn: (app) => cookies.slideOn(app),
  }
}

const stampOf = ({ password_hash, sealed_totp }: AccountRow): string =>
  createHash('sha256')
    .update(JSON.stringify([password_hash, sealed_totp]))
    .digest('base64url')
