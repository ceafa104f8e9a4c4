import type { FastifyRequest } from 'fastify'
import { type Clock, DAY, MINUTE, SECOND } from '../../clock/index.ts'
import { SecretProblem, type Secrets } from '../../secrets/index.ts'
import type { App } from '../app.ts'
import { isHttps, readCookie, setCookie } from './cookies.ts'
import { isSameOrigin } from './same-origin.ts'

/** Sessions that live in sealed cookies alone. Nothing is stored, so that every instance knows every session. */
export interface CookieSessions<Data> {
  /** The Set-Cookie header that begins a session. */
  begin(data: Data): string
  /** The Set-Cookie header that ends a session in its browser. */
  end(): string
  /** What the session of a call holds; nothing without one, or when another site made the call. */
  find(request: FastifyRequest): Data | undefined
  /** Renews the cookies of callers of the app while they keep calling. */
  slideOn(app: App): void
}

interface CookieSessionOptions {
  readonly cookieName: string
  /** What the cookies are sealed for: those sealed for anything else do not open. */
  readonly context: string
  /** How long a session without calls lasts, in milliseconds; every call extends it. */
  readonly idle: number
  /** Where browsers reach the service, if it is told. */
  readonly publicUrl: string | undefined
  readonly secrets: Secrets
  readonly clock: Clock
}

/** A session ends after this time even if its browser never stops calling, so that a copied cookie does, too. */
const LONGEST_SESSION = 30 * DAY

/** A cookie is renewed at most this often, not with every answer. */
const RENEWED_EVERY = MINUTE

/** ISO 8601 each. */
interface Times {
  readonly issued: string
  readonly seen: string
}

export function cookieSessions<Data extends object>(options: CookieSessionOptions): CookieSessions<Data> {
  const { cookieName, context, idle, publicUrl, secrets, clock } = options
  const toRenew = new WeakMap<FastifyRequest, Data & Times>()
  const cookie = (value: string, maxAgeSeconds: number): string =>
    setCookie(cookieName, value, { sameSite: 'Strict', secure: isHttps(publicUrl), maxAgeSeconds })
  const cookieOf = (session: Data & Times): string =>
    cookie(secrets.seal(JSON.stringify(session), context), idle / SECOND)

  return {
    begin: (data) => {
      const now = clock().toISOString()
      return cookieOf({ ...data, issued: now, seen: now })
    },
    end: () => cookie('', 0),
    find: (request) => {
      const sealed = readCookie(request.raw.headers.cookie, cookieName)
      const session = sealed === undefined ? undefined : opened<Data & Times>(secrets, sealed, context)
      if (!session || !isAlive(session, clock(), idle) || !isSameOrigin(request, publicUrl)) return undefined
      toRenew.set(request, session)
      return session
    },
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
  }
}

function opened<Session>(secrets: Secrets, sealed: string, context: string): Session | undefined {
  try {
    return JSON.parse(secrets.openText(sealed, context)) as Session
  } catch (error) {
    // Anybody can send a cookie; one that does not open is a caller without a session.
    if (error instanceof SecretProblem) return undefined
    throw error
  }
}

const isAlive = ({ issued, seen }: Times, now: Date, idle: number): boolean =>
  now.getTime() - Date.parse(seen) < idle && now.getTime() - Date.parse(issued) < LONGEST_SESSION
