import { createHash } from 'node:crypto'
import { HOUR } from '@chancela/service-kernel/clock'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { type AccessScheme, type App, cookieSessions, endedSessions, isToken } from '@chancela/service-kernel/http'
import { sameSecret } from '@chancela/service-kernel/secrets'
import type { Context } from '../context.ts'
import { isOperator } from '../rules/idp-person.ts'
import { refuse } from '../rules/refuse.ts'
import type { BatchSignerSettings } from '../settings.ts'
import type { IdpAccess } from './idp-access.ts'

/** The caller under the operator policy; the name is the actor in events. */
export interface Operator {
  readonly name: string
  readonly scheme: 'api-key' | 'cookie' | 'idp'
}

type Request = Parameters<AccessScheme['authenticate']>[0]

/**
 * The operator policy: the API key in its header, or the cookie of an operator who signed in, with the key or, where one
 * is configured, at the identity provider alone.
 */
export interface OperatorAccess extends AccessScheme<Operator> {
  /** The Set-Cookie header for this key; otherwise refuses `auth.misconfigured` or `auth.invalid-credentials`. */
  signIn(apiKey: string): string
  /** Ends the session of a call, for every copy of its cookie; the Set-Cookie header for its browser. */
  signOut(request: Request): Promise<string>
  /** Renews the cookies of callers of the app while they keep calling. */
  slideOn(app: App): void
}

/** The operator the API key stands for. */
const KEY_HOLDER: Operator = { name: 'api-key', scheme: 'api-key' }

/** Builds the operator policy of the full surface (spec 2, Authentication). */
export function operatorAccess(
  { settings: { Auth, Http }, clock, secrets, store }: Pick<Context, 'settings' | 'clock' | 'secrets' | 'store'>,
  idp?: Pick<IdpAccess, 'cookieName' | 'find'>,
): OperatorAccess {
  requireWritableNames(Auth)
  const header = Auth.ApiKeyHeader.toLowerCase()
  const sessions = cookieSessions<{ readonly name: string }>({
    cookieName: Auth.CookieName,
    context: sessionContext(Auth.ApiKey),
    idle: Auth.SessionHours * HOUR,
    publicUrl: Http.PublicUrl,
    secrets,
    clock,
    ended: endedSessions(store),
  })

  const signedIn = async (request: Request): Promise<Operator | undefined> => {
    if (idp) {
      const person = await idp.find(request)
      return person && isOperator(person) ? { name: person.name, scheme: 'idp' } : undefined
    }
    const session = await sessions.findLive(request)
    return session && { name: session.name, scheme: 'cookie' }
  }
  const cookieName = idp?.cookieName ?? Auth.CookieName

  return {
    authenticate: async (request) => {
      if (Auth.ApiKey === '') throw refuse('auth.misconfigured')
      const given = request.raw.headers[header]
      if (given === undefined) return signedIn(request)
      // Node reads header bytes as Latin-1; a key with other characters is compared by the bytes sent.
      return sameSecret(Buffer.from(String(given), 'latin1'), Buffer.from(Auth.ApiKey)) ? KEY_HOLDER : undefined
    },
    // One window for the operators of an address (spec 2, Limits: per IP).
    credentialOf: () => 'operator',
    signIn: (apiKey) => {
      if (Auth.ApiKey === '') throw refuse('auth.misconfigured')
      // With an identity provider no key signs in: the answer does not tell whether it was the right one.
      if (idp || !sameSecret(apiKey, Auth.ApiKey)) throw refuse('auth.invalid-credentials')
      return sessions.begin({ name: 'operator' })
    },
    signOut: (request) => sessions.endFor(request),
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

/** Sessions are sealed with the hash of their key as context: after a change of the key none can be opened. */
const sessionContext = (apiKey: string): string =>
  `operator-session/${createHash('sha256').update(apiKey).digest('hex')}`
