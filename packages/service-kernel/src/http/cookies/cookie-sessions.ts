import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type Clock, DAY, MINUTE, plus, SECOND } from '../../clock/index.ts'
import { SecretProblem, type Secrets } from '../../secrets/index.ts'
import type { App } from '../app.ts'
import { type CookieAttributes, readCookie, setCookie } from './cookies.ts'
import type { EndedSessions } from './ended-sessions.ts'
import { isSameOrigin } from './same-origin.ts'

/** Sessions that exist in sealed cookies. Of one only its sign-out is stored, so every instance accepts every session. */
export interface CookieSessions<Data> {
  /** The Set-Cookie header that starts a session; with this id where its row has one already. */
  begin(data: Data, sid?: string): string
  /** The Set-Cookie header that ends a session in its browser. */
  end(): string
  /** The data of a call's session; undefined without one, or for a cross-site call. Whether it was ended is not asked. */
  find(request: FastifyRequest): (Data & { readonly sid?: string }) | undefined
  /** Does not renew the cookie of a call whose session turned out to be over. */
  forget(request: FastifyRequest): void
  /** The same with the id of the session, unless that was signed out. Needs `ended`. */
  findLive(request: FastifyRequest): Promise<(Data & { readonly sid: string }) | undefined>
  /** Ends the session of a call for every copy of its cookie; the Set-Cookie header for its browser. Needs `ended`. */
  endFor(request: FastifyRequest): Promise<string>
  /** Renews the cookies of the app's callers while they keep calling. */
  slideOn(app: App): void
}

export interface CookieSessionOptions {
  readonly cookieName: string
  /** The context the cookies are sealed for: those of any other context do not open. */
  readonly context: string
  /** How long an idle session lasts, in milliseconds; every call extends it. */
  readonly idle: number
  /** How long a session lasts that is used all the time, in milliseconds. Default `LONGEST_SESSION`. */
  readonly longest?: number
  /** `Lax` for a session that begins with a link from elsewhere, such as a mail. Default `Strict`. */
  readonly sameSite?: CookieAttributes['sameSite']
  /** The public URL of the service, if configured. */
  readonly publicUrl: string | undefined
  readonly secrets: Secrets
  readonly clock: Clock
  /** Where sign-outs are remembered; a service whose sessions are rows needs none. */
  readonly ended?: EndedSessions
}

/** A session ends after this time even if its browser keeps calling, so that a copied cookie expires, too. */
export const LONGEST_SESSION = 30 * DAY

/** A cookie is renewed at most this often, not with every response. */
const RENEWED_EVERY = MINUTE

/** Times in ISO 8601. */
interface Times {
  /** Absent in cookies of earlier versions, which could not be ended. */
  readonly sid?: string
  readonly issued: string
  readonly seen: string
}

export function cookieSessions<Data extends object>(options: CookieSessionOptions): CookieSessions<Data> {
  const { cookieName, context, idle, publicUrl, secrets, clock } = options
  const { longest = LONGEST_SESSION, sameSite = 'Strict' } = options
  const toRenew = new WeakMap<FastifyRequest, Data & Times>()
  const cookie = (value: string, maxAgeSeconds: number): string =>
    setCookie(cookieName, value, { sameSite, maxAgeSeconds })
  const cookieOf = (session: Data & Times): string =>
    cookie(secrets.seal(JSON.stringify(session), context), idle / SECOND)

  const openedOf = (request: FastifyRequest): (Data & Times) | undefined => {
    const sealed = readCookie(request.raw.headers.cookie, cookieName)
    const session = sealed === undefined ? undefined : opened<Data & Times>(secrets, sealed, context)
    if (!session || !isAlive(session, clock(), { idle, longest }) || !isSameOrigin(request, publicUrl)) return undefined
    toRenew.set(request, session)
    return session
  }

  return {
    begin: (data, sid = randomUUID()) => {
      const now = clock().toISOString()
      return cookieOf({ ...data, sid, issued: now, seen: now })
    },
    end: () => cookie('', 0),
    find: openedOf,
    forget: (request) => {
      toRenew.delete(request)
    },
    findLive: async (request) => {
      const session = openedOf(request)
      const sid = session?.sid
      if (sid !== undefined && !(await options.ended!.has(sid))) return { ...session!, sid }
      toRenew.delete(request)
      return undefined
    },
    endFor: async (request) => {
      const session = openedOf(request)
      toRenew.delete(request)
      if (session?.sid !== undefined)
        await options.ended!.note(session.sid, plus(new Date(session.issued), longest), clock())
      return cookie('', 0)
    },
    slideOn: (app) => {
      app.addHook('onSend', async (request, reply) => {
        const session = toRenew.get(request)
        const now = clock()
        if (!session || now.getTime() - Date.parse(session.seen) < RENEWED_EVERY) return
        // A route that signs in or out takes precedence.
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
    // Anybody can send a cookie; one that does not open means no session.
    if (error instanceof SecretProblem) return undefined
    throw error
  }
}

const isAlive = ({ issued, seen }: Times, now: Date, { idle, longest }: { idle: number; longest: number }): boolean =>
  now.getTime() - Date.parse(seen) < idle && now.getTime() - Date.parse(issued) < longest
