import { createHash } from 'node:crypto'
import { type Clock, DAY, HOUR, MINUTE } from '@chancela/service-kernel/clock'
import { StartupProblem } from '@chancela/service-kernel/errors'
import type { AccessScheme, App } from '@chancela/service-kernel/http'
import { SecretProblem, type Secrets, sameSecret } from '@chancela/service-kernel/secrets'
import type { Ground } from '../wiring.ts'
import { isToken, readCookie, setCookie } from './cookies.ts'
import { refuse } from './refuse.ts'
import { isSameOrigin } from './same-origin.ts'

/** Who is behind a call that satisfies the operator policy; the name stands as actor in events. */
export interface Operator {
  readonly name: string
  readonly scheme: 'api-key' | 'cookie'
}

/** The operator policy: the API key in its header, or the cookie of somebody who signed in with the key. */
export interface OperatorAccess extends AccessScheme<Operator> {
  /** The Set-Cookie header for somebody who gives this key; `auth.misconfigured` or `auth.invalid-credentials` else. */
  signIn(apiKey: string): string
  /** The Set-Cookie header that ends a session in its browser. */
  signOut(): string
  /** Renews the cookies of callers of the app while they keep calling. */
  slideOn(app: App): void
}

type Request = Parameters<AccessScheme['authenticate']>[0]

/** The operator the API key stands for. */
const KEY_HOLDER: Operator = { name: 'api-key', scheme: 'api-key' }

/** A session ends after this time even if its browser never stops calling, so that a copied cookie does, too. */
const LONGEST_SESSION = 30 * DAY

/** A cookie is renewed at most this often, not with every answer. */
const RENEWED_EVERY = MINUTE

/** What a cookie holds, sealed. */
interface Session {
  readonly name: string
  /** ISO 8601. */
  readonly issued: string
  /** ISO 8601. */
  readonly seen: string
}

/** Builds the operator policy of the full surface (spec 2, Authentication). */
export function operatorAccess({
  settings: { Auth, Http },
  clock,
  secrets,
}: Pick<Ground, 'settings' | 'clock' | 'secrets'>): OperatorAccess {
  refuseUnwritable('Auth:ApiKeyHeader', Auth.ApiKeyHeader)
  refuseUnwritable('Auth:CookieName', Auth.CookieName)
  const header = Auth.ApiKeyHeader.toLowerCase()
  const sessions = sessionSeal(secrets, Auth.ApiKey, clock, Auth.SessionHours * HOUR)
  const toRenew = new WeakMap<Request, Session>()

  const cookieOf = (session: Session): string => cookie(sessions.seal(session), Auth.SessionHours * 3_600)
  const cookie = (value: string, maxAgeSeconds: number): string =>
    setCookie(Auth.CookieName, value, { sameSite: 'Strict', secure: isHttps(Http.PublicUrl), maxAgeSeconds })

  const byCookie = (request: Request): Operator | undefined => {
    const session = sessions.open(readCookie(request.raw.headers.cookie, Auth.CookieName))
    if (!session || !isSameOrigin(request, Http.PublicUrl)) return undefined
    toRenew.set(request, session)
    return { name: session.name, scheme: 'cookie' }
  }

  return {
    authenticate: (request) => {
      if (Auth.ApiKey === '') throw refuse('auth.misconfigured')
      const given = request.raw.headers[header]
      if (given === undefined) return byCookie(request)
      // Node reads header bytes as Latin-1; a key with other letters is compared by the bytes that were sent.
      return sameSecret(Buffer.from(String(given), 'latin1'), Buffer.from(Auth.ApiKey)) ? KEY_HOLDER : undefined
    },
    signIn: (apiKey) => {
      if (Auth.ApiKey === '') throw refuse('auth.misconfigured')
      if (!sameSecret(apiKey, Auth.ApiKey)) throw refuse('auth.invalid-credentials')
      const now = clock().toISOString()
      return cookieOf({ name: 'operator', issued: now, seen: now })
    },
    signOut: () => cookie('', 0),
    slideOn: (app) => {
      app.addHook('onSend', async (request, reply) => {
        const session = toRenew.get(request)
        const now = clock()
        if (!session || now.getTime() - Date.parse(session.seen) < RENEWED_EVERY) return
        // A route that signs in or out has the last word.
        if (!reply.hasHeader('set-cookie'))
          reply.header('set-cookie', cookieOf({ ...session, seen: now.toISOString() }))
      })
    },
    security: {
      [Auth.ApiKeyHeader]: { type: 'apiKey', in: 'header', name: Auth.ApiKeyHeader },
      [Auth.CookieName]: { type: 'apiKey', in: 'cookie', name: Auth.CookieName },
    },
  }
}

/** Whether browsers reach the service over TLS. */
export const isHttps = (publicUrl: string | undefined): boolean => publicUrl?.startsWith('https:') ?? false

function refuseUnwritable(key: string, name: string): void {
  if (isToken(name)) return
  const setting = `batch-signer ${key}`
  throw new StartupProblem(`${setting}: may only have letters, digits and - _ . characters.`, { setting })
}

/**
 * Sessions are sealed for the hash of the key they were opened with: once the key is changed none of them opens any
 * more. Nothing is stored, so that every instance knows every session.
 */
function sessionSeal(secrets: Secrets, apiKey: string, clock: Clock, idle: number) {
  const context = `operator-session/${createHash('sha256').update(apiKey).digest('hex')}`
  return {
    seal: (session: Session): string => secrets.seal(JSON.stringify(session), context),
    open: (sealed: string | undefined): Session | undefined => {
      const session = sealed === undefined ? undefined : opened(secrets, sealed, context)
      return session && isAlive(session, clock(), idle) ? session : undefined
    },
  }
}

function opened(secrets: Secrets, sealed: string, context: string): Session | undefined {
  try {
    return JSON.parse(secrets.openText(sealed, context)) as Session
  } catch (error) {
    // Anybody can send a cookie; one that does not open is a caller without a session.
    if (error instanceof SecretProblem) return undefined
    throw error
  }
}

const isAlive = ({ issued, seen }: Session, now: Date, idle: number): boolean =>
  now.getTime() - Date.parse(seen) < idle && now.getTime() - Date.parse(issued) < LONGEST_SESSION
