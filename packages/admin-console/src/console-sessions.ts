// Sessions of administrators: sealed cookies, checked at every call against the administrator's current row.
import { createHash } from 'node:crypto'
import { HOUR } from '@chancela/service-kernel/clock'
import {
  type AccessScheme,
  type App,
  type CookieSessions,
  cookieSessions,
  endedSessions,
  isSameOrigin,
} from '@chancela/service-kernel/http'
import { findAdministrator } from './administrator-rows.ts'
import type { AdministratorRow } from './administrator-table.ts'
import { addressOf } from './administrators.ts'
import type { ConsoleCaller, SignedIn } from './caller.ts'
import type { ConsoleContext } from './console-context.ts'
import type { Identity } from './identity-provider.ts'
import { refuse } from './refuse.ts'

/** Content of a cookie. The stamp covers the credentials of the session: when they change, the session is over. */
type Session =
  | { readonly way: 'password'; readonly id: string; readonly stamp: string }
  | ({ readonly way: 'oidc'; readonly stamp: string } & Identity)

type Request = Parameters<AccessScheme['authenticate']>[0]

export class ConsoleSessions {
  readonly #context: Pick<ConsoleContext, 'settings' | 'store'>
  readonly #cookies: CookieSessions<Session>

  constructor(context: Pick<ConsoleContext, 'settings' | 'store' | 'secrets' | 'clock'>) {
    const { settings, secrets, clock } = context
    this.#context = context
    this.#cookies = cookieSessions<Session>({
      cookieName: settings.Auth.CookieName,
      context: 'console-session',
      idle: settings.Auth.SessionHours * HOUR,
      publicUrl: settings.Console.PublicUrl,
      secrets,
      clock,
      ended: endedSessions(context.store),
    })
  }

  /** The caller of a request; undefined without a session, or for a cross-site request. */
  async find(request: Request): Promise<ConsoleCaller | undefined> {
    const session = await this.#cookies.findLive(request)
    if (!session) return undefined
    const found = session.way === 'password' ? await this.#findLocal(session) : this.#findForeign(session)
    return found && { ...found, address: request.ip }
  }

  /** The Set-Cookie header that starts a session of a local administrator. */
  begin(administrator: AdministratorRow): string {
    return this.#cookies.begin({ way: 'password', id: administrator.id, stamp: stampOf(administrator) })
  }

  /** The same for an identity of the identity provider. */
  beginForeign(identity: Identity): string {
    return this.#cookies.begin({ way: 'oidc', ...identity, stamp: this.#providerStamp() })
  }

  /** Ends the session for every copy of its cookie; the Set-Cookie header, or undefined for a cross-site request. */
  async end(request: Request): Promise<string | undefined> {
    return isSameOrigin(request, this.#context.settings.Console.PublicUrl) ? this.#cookies.endFor(request) : undefined
  }

  /** Extends sessions that are used. */
  slideOn(app: App): void {
    this.#cookies.slideOn(app)
  }

  localCaller(administrator: AdministratorRow): SignedIn {
    const { id, name, email, sealed_totp } = administrator
    const without = this.#context.settings.Auth.RequireSecondFactor ? 'to-enrol' : 'off'
    return { id, name, email, way: 'password', secondFactor: sealed_totp === null ? without : 'on' }
  }

  async #findLocal({ id, stamp }: Session): Promise<SignedIn | undefined> {
    const { settings, store } = this.#context
    const administrator = settings.Auth.Password ? await findAdministrator(store.db, id) : undefined
    return administrator && stampOf(administrator) === stamp ? this.localCaller(administrator) : undefined
  }

  #findForeign({ id, name, email, stamp }: Session & Identity): SignedIn | undefined {
    const { Enabled, Administrators } = this.#context.settings.Oidc
    const isStill = Enabled && stamp === this.#providerStamp() && isListed(Administrators, email)
    return isStill ? { id, name, email, way: 'oidc', secondFactor: 'off' } : undefined
  }

  #providerStamp(): string {
    const { Issuer, ClientId } = this.#context.settings.Oidc
    return digest([Issuer, ClientId])
  }
}

/** Whether an address is among the configured administrators. */
export const isListed = (administrators: readonly string[], email: string): boolean =>
  administrators.some((one) => addressOf(one) === addressOf(email))

/** The access schemes of the console, by the names routes use. */
export function consoleSchemes(sessions: ConsoleSessions, cookieName: string) {
  const security = { session: { type: 'apiKey', in: 'cookie', name: cookieName } }
  const credentialOf = ({ id }: ConsoleCaller): string => id
  const visitor: AccessScheme<ConsoleCaller> = {
    security,
    credentialOf,
    authenticate: (request) => sessions.find(request),
  }
  const administrator: AccessScheme<ConsoleCaller> = {
    security,
    credentialOf,
    async authenticate(request) {
      const caller = await sessions.find(request)
      if (caller?.secondFactor === 'to-enrol') throw refuse('SECOND_FACTOR_REQUIRED')
      return caller
    },
  }
  return { visitor, administrator }
}

/** Of password and authenticator app: changing either ends every session. */
const stampOf = ({ password_hash, sealed_totp }: AdministratorRow): string => digest([password_hash, sealed_totp])

const digest = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
