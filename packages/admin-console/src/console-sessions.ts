// Sessions of administrators: rows, checked at every call against the administrator's current row, too.
import { createHash } from 'node:crypto'
import { HOUR, MINUTE, plus } from '@chancela/service-kernel/clock'
import {
  type AccessScheme,
  type App,
  type CookieSessionRow,
  isSameOrigin,
  type ListedSessions,
  listedSessions,
} from '@chancela/service-kernel/http'
import { findAdministrator } from './administrator-rows.ts'
import type { AdministratorRow, AdministratorTables } from './administrator-table.ts'
import { addressOf } from './administrators.ts'
import type { ConsoleCaller, SessionCaller, SignedIn } from './caller.ts'
import type { ConsoleContext } from './console-context.ts'
import type { ConsoleRole } from './contract/index.ts'
import { factorsOf } from './factors.ts'
import type { Identity } from './identity-provider.ts'

/** Content of a cookie. The stamp covers the credentials of the session: when they change, the session is over. */
type Session =
  | { readonly way: 'password'; readonly id: string; readonly stamp: string }
  | ({ readonly way: 'oidc'; readonly stamp: string; readonly role?: ConsoleRole } & Identity)

/** When a session was proved that never was. */
const NEVER = new Date(0)

type Request = Parameters<AccessScheme['authenticate']>[0]

export class ConsoleSessions {
  readonly #context: Pick<ConsoleContext, 'settings' | 'store' | 'clock'>
  readonly #cookies: ListedSessions<Session>

  constructor(context: Pick<ConsoleContext, 'settings' | 'store' | 'secrets' | 'clock'>) {
    const { settings, secrets, clock, store } = context
    this.#context = context
    this.#cookies = listedSessions<Session, AdministratorTables>({
      cookieName: settings.Auth.CookieName,
      context: 'console-session',
      idle: settings.Auth.SessionHours * HOUR,
      publicUrl: settings.Console.PublicUrl,
      secrets,
      clock,
      store,
    })
  }

  /** The caller of a request; undefined without a session, or for a cross-site request. */
  async find(request: Request): Promise<SessionCaller | undefined> {
    const session = await this.#cookies.find(request)
    if (!session) return undefined
    const caller = session.way === 'password' ? await this.#findLocal(session) : this.#findForeign(session)
    return caller && { ...caller, address: request.ip, session: { sid: session.sid, provedAt: session.provedAt } }
  }

  /** Begins a session of a local administrator in place of the browser's last one; the Set-Cookie header. */
  begin(request: Request, administrator: AdministratorRow): Promise<string> {
    const { id, email } = administrator
    const session = { way: 'password', id, stamp: stampOf(administrator) } as const
    return this.#cookies.begin(request, holderOf({ id, email, way: 'password' }), session)
  }

  /**
   * The same for an identity of the identity provider, which may have let somebody pass who signed in there long ago:
   * only a fresh sign-in is a proof.
   */
  beginForeign(
    request: Request,
    identity: Identity & { readonly role: ConsoleRole },
    isFresh: boolean,
  ): Promise<string> {
    const session = { way: 'oidc', ...identity, stamp: this.#providerStamp() } as const
    return this.#cookies.begin(request, { ...holderOf(session), ...(!isFresh && { provedAt: NEVER }) }, session)
  }

  /** Ends the session for every copy of its cookie; the Set-Cookie header, or undefined for a cross-site request. */
  async end(request: Request): Promise<string | undefined> {
    return isSameOrigin(request, this.#context.settings.Console.PublicUrl) ? this.#cookies.end(request) : undefined
  }

  /** Whether whoever has the session showed lately who they are. */
  isProven({ session: { provedAt } }: Pick<SessionCaller, 'session'>): boolean {
    const { clock, settings } = this.#context
    return clock() < plus(provedAt, settings.Auth.ProofMinutes * MINUTE)
  }

  /** Extends sessions that are used. */
  slideOn(app: App): void {
    this.#cookies.slideOn(app)
  }

  localCaller(administrator: AdministratorRow): SignedIn {
    const { id, name, email, role } = administrator
    const factors = factorsOf(administrator)
    const without = this.#context.settings.Auth.RequireSecondFactor ? 'to-enrol' : 'off'
    return { id, name, email, way: 'password', role, secondFactor: factors.length === 0 ? without : 'on', factors }
  }

  async #findLocal({ id, stamp }: Session): Promise<SignedIn | undefined> {
    const { settings, store } = this.#context
    const administrator = settings.Auth.Password ? await findAdministrator(store.db, id) : undefined
    return administrator && stampOf(administrator) === stamp ? this.localCaller(administrator) : undefined
  }

  /** A session of before there were roles is one of an administrator, as everybody was. */
  #findForeign({
    id,
    name,
    email,
    stamp,
    role = 'administrator',
  }: Identity & { readonly stamp: string; readonly role?: ConsoleRole }): SignedIn | undefined {
    const { Enabled, Administrators } = this.#context.settings.Oidc
    const isStill = Enabled && stamp === this.#providerStamp() && isListed(Administrators, email)
    return isStill ? { id, name, email, way: 'oidc', role, secondFactor: 'off', factors: [] } : undefined
  }

  /** Whoever was let in by other rules signs in again. */
  #providerStamp(): string {
    const { Issuer, ClientId, RoleClaim } = this.#context.settings.Oidc
    return digest([Issuer, ClientId, ...(RoleClaim === undefined ? [] : [RoleClaim])])
  }
}

/** What the subjects of the identity provider are told from ids of local administrators by. */
const FOREIGN = 'oidc:'

/** Whose sessions those of a caller are. */
export const holderOf = ({ id, email, way }: Pick<ConsoleCaller, 'id' | 'email' | 'way'>) => ({
  who: way === 'password' ? id : `${FOREIGN}${id}`,
  label: addressOf(email),
})

/** Whether a session is one of a local administrator. */
export const isLocal = ({ who }: Pick<CookieSessionRow, 'who'>): boolean => !who.startsWith(FOREIGN)

/** Whether an address is among the configured administrators. */
export const isListed = (administrators: readonly string[], email: string): boolean =>
  administrators.some((one) => addressOf(one) === addressOf(email))

/** Of password and second factors: changing one ends every session. Without passkeys it is that of earlier versions. */
const stampOf = ({ password_hash, sealed_totp, passkey_stamp }: AdministratorRow): string =>
  digest([password_hash, sealed_totp, ...(passkey_stamp === null ? [] : [passkey_stamp])])

const digest = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
