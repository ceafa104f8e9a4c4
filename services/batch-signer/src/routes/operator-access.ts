import { HOUR } from '@chancela/service-kernel/clock'
import { StartupProblem } from '@chancela/service-kernel/errors'
import {
  type AccessScheme,
  type App,
  clientAddress,
  clientOf,
  isToken,
  listedSessions,
} from '@chancela/service-kernel/http'
import { sameSecret } from '@chancela/service-kernel/secrets'
import type { Context } from '../context.ts'
import { beginGuess } from '../parts/key-guesses.ts'
import { keyRealm } from '../parts/session-realms.ts'
import type { NamedActor } from '../rules/actor.ts'
import { isOperator } from '../rules/idp-person.ts'
import { refuse } from '../rules/refuse.ts'
import { whoOf } from '../rules/session-holder.ts'
import type { BatchSignerSettings } from '../settings.ts'
import type { Tables } from '../store/tables.ts'
import type { IdpAccess } from './idp-access.ts'

/** The caller under the operator policy. */
export interface Operator {
  readonly name: string
  readonly scheme: 'api-key' | 'cookie' | 'idp'
  /** Of the client. */
  readonly address: string
  /** Of the browser; the key itself has none. */
  readonly sessionId?: string
}

/** Whoever calls, as events name them. */
export const actorOf = ({ name, address }: Operator): NamedActor => ({ name, address })

type Request = Parameters<AccessScheme['authenticate']>[0]

/**
 * The operator policy: the API key in its header, or the cookie of an operator who signed in, with the key or, where one
 * is configured, at the identity provider alone.
 */
export interface OperatorAccess extends AccessScheme<Operator> {
  /**
   * Begins a session for this key, the Set-Cookie header of it; otherwise refuses `auth.misconfigured` or
   * `auth.invalid-credentials`.
   */
  signIn(request: Request, apiKey: string): Promise<string>
  /** Ends the session of a call, for every copy of its cookie; the Set-Cookie header for its browser. */
  signOut(request: Request): Promise<string>
  /** Renews the cookies of callers of the app while they keep calling. */
  slideOn(app: App): void
}

/** Whoever signed in with the key. */
export const OPERATOR = 'operator'

/** The operator the API key stands for. */
export const keyHolder = (request: Request): Operator => ({
  name: 'api-key',
  scheme: 'api-key',
  address: clientAddress(request),
})

/** Builds the operator policy of the full surface (spec 2, Authentication). */
export function operatorAccess(
  context: Pick<Context, 'settings' | 'clock' | 'secrets' | 'store' | 'events'>,
  idp?: Pick<IdpAccess, 'cookieName' | 'find'>,
): OperatorAccess {
  const { settings, clock, secrets, store } = context
  const { Auth, Http } = settings
  requireWritableNames(Auth)
  const header = Auth.ApiKeyHeader.toLowerCase()
  const realm = keyRealm(Auth.ApiKey)
  const sessions = listedSessions<{ readonly name: string }, Tables>({
    cookieName: Auth.CookieName,
    context: `operator-session/${realm.realm}`,
    idle: Auth.SessionHours * HOUR,
    publicUrl: Http.PublicUrl,
    secrets,
    clock,
    store,
  })
  const who = whoOf({ ...realm, subject: OPERATOR })

  const signedIn = async (request: Request): Promise<Operator | undefined> => {
    const address = clientAddress(request)
    if (idp) {
      const person = await idp.find(request)
      if (!person || !isOperator(person)) return undefined
      return { name: person.name, scheme: 'idp', address, sessionId: person.sid }
    }
    const session = await sessions.find(request)
    return session && { name: session.name, scheme: 'cookie', address, sessionId: session.sid }
  }
  const cookieName = idp?.cookieName ?? Auth.CookieName

  return {
    authenticate: async (request) => {
      if (Auth.ApiKey === '') throw refuse('auth.misconfigured')
      const given = request.raw.headers[header]
      if (given === undefined) return signedIn(request)
      // Node reads header bytes as Latin-1; a key with other characters is compared by the bytes sent.
      return sameSecret(Buffer.from(String(given), 'latin1'), Buffer.from(Auth.ApiKey)) ? keyHolder(request) : undefined
    },
    // One window for the operators of an address (spec 2, Limits: per IP).
    credentialOf: () => 'operator',
    signIn: async (request, apiKey) => {
      if (Auth.ApiKey === '') throw refuse('auth.misconfigured')
      // With an identity provider no key signs in: the answer does not tell whether it was the right one.
      if (idp) throw refuse('auth.invalid-credentials')
      const guess = await beginGuess(context, { client: clientOf(request), address: clientAddress(request) })
      if (!sameSecret(apiKey, Auth.ApiKey)) {
        await guess.wasWrong()
        throw refuse('auth.invalid-credentials')
      }
      await guess.wasRight()
      return sessions.begin(request, { who, label: OPERATOR }, { name: OPERATOR })
    },
    signOut: (request) => sessions.end(request),
    slideOn: (app) => sessions.slideOn(app),
    security: {
      [Auth.ApiKeyHeader]: { type: 'apiKey', in: 'header', name: Auth.ApiKeyHeader },
      [cookieName]: { type: 'apiKey', in: 'cookie', name: cookieName },
    },
  }
}

/** Names that cannot be those of a header and a cookie prevent the start. */
export function requireWritableNames({ ApiKeyHeader, CookieName }: BatchSignerSettings['Auth']): void {
  refuseUnwritable('Auth:ApiKeyHeader', ApiKeyHeader)
  refuseUnwritable('Auth:CookieName', CookieName)
}

function refuseUnwritable(key: string, name: string): void {
  if (isToken(name)) return
  const setting = `batch-signer ${key}`
  throw new StartupProblem(`${setting}: may only have letters, digits and - _ . characters.`, { setting })
}
