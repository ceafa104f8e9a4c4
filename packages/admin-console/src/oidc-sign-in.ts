// Sign-in at the identity provider: the redirect there and the callback.
import { MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { type Call, isHttps, readCookie, setCookie } from '@chancela/service-kernel/http'
import { SecretProblem } from '@chancela/service-kernel/secrets'
import { act } from './audit.ts'
import type { ConsoleContext } from './console-context.ts'
import { type ConsoleSessions, isListed } from './console-sessions.ts'
import type { oidcProblems } from './contract/index.ts'
import { type Identity, IdentityProvider, isRefusal, type SignInChecks } from './identity-provider.ts'

type Request = Call['request']

type OidcProblem = (typeof oidcProblems)[number]

/** The next redirect with its cookies; or why the sign-in failed. */
export type Step =
  | { readonly to: string; readonly cookies: readonly string[] }
  | { readonly problem: OidcProblem; readonly cookies: readonly string[] }

/** Time limit for the sign-in at the provider. */
const AWAY_FOR = 10 * MINUTE

const CONTEXT = 'console-oidc-sign-in'

type OidcContext = Pick<ConsoleContext, 'settings' | 'store' | 'events' | 'secrets' | 'clock' | 'logger'>

export class OidcSignIn {
  readonly #context: OidcContext
  readonly #sessions: ConsoleSessions
  readonly #provider: IdentityProvider | undefined

  constructor(context: OidcContext, sessions: ConsoleSessions) {
    this.#context = context
    this.#sessions = sessions
    const { Oidc } = context.settings
    this.#provider = Oidc.Enabled ? new IdentityProvider(Oidc, context.clock) : undefined
  }

  /** Redirects the browser to the provider; a sealed cookie holds the values that must come back. */
  async begin(request: Request): Promise<Step> {
    if (!this.#provider) return { problem: 'OIDC_UNAVAILABLE', cookies: [] }
    try {
      const { url, checks } = await this.#provider.begin(this.#returnAddress(request))
      return { to: url, cookies: [this.#keep(checks)] }
    } catch (error) {
      return this.#failed(error, 'OIDC_UNAVAILABLE')
    }
  }

  /** Handles the callback. In any case the cookie can be used only once. */
  async finish(request: Request): Promise<Step> {
    const checks = this.#kept(request)
    if (!this.#provider || !checks) return { problem: 'OIDC_REFUSED', cookies: [this.#forget()] }
    const returned = new URL(this.#returnAddress(request))
    returned.search = new URL(request.url, returned).search
    try {
      return await this.#admitted(await this.#provider.finish(returned, checks))
    } catch (error) {
      return this.#failed(error, isRefusal(error) ? 'OIDC_REFUSED' : 'OIDC_UNAVAILABLE')
    }
  }

  async #admitted(identity: Identity | undefined): Promise<Step> {
    const { store, events, settings } = this.#context
    const isAdministrator = identity !== undefined && isListed(settings.Oidc.Administrators, identity.email)
    if (identity) {
      const { id, email } = identity
      const [type, what] = isAdministrator
        ? (['AdministratorSignedIn', 'signed in at the identity provider'] as const)
        : (['SignInRefused', 'is known to the identity provider, and no administrator here'] as const)
      await events.record(store.db, act(type, email, ['identity', id], `${email} ${what}.`))
    }
    if (!isAdministrator) return { problem: 'OIDC_REFUSED', cookies: [this.#forget()] }
    return { to: '/', cookies: [this.#forget(), this.#sessions.beginForeign(identity)] }
  }

  /** Only the kind of failure is logged: a provider's answer may contain tokens. */
  #failed(error: unknown, problem: OidcProblem): Step {
    const { code, name, error: told } = error as { code?: unknown; name?: unknown; error?: unknown }
    this.#context.logger.warn({ problem, code, kind: name, told }, 'OIDC sign-in failed')
    return { problem, cookies: [this.#forget()] }
  }

  #returnAddress(request: Request): string {
    const { PublicUrl } = this.#context.settings.Console
    // A forged Host header does no harm: the provider redirects only to addresses registered beforehand.
    const base = PublicUrl?.replace(/\/$/, '') ?? `http://${request.host}`
    return `${base}/oidc/callback`
  }

  #keep(checks: SignInChecks): string {
    const until = this.#context.clock().getTime() + AWAY_FOR
    return this.#cookie(this.#context.secrets.seal(JSON.stringify({ ...checks, until }), CONTEXT), AWAY_FOR / SECOND)
  }

  #forget(): string {
    return this.#cookie('', 0)
  }

  // Lax: the callback is a cross-site navigation, on which a Strict cookie would not be sent.
  #cookie(value: string, maxAgeSeconds: number): string {
    const secure = isHttps(this.#context.settings.Console.PublicUrl)
    return setCookie(this.#cookieName, value, { sameSite: 'Lax', secure, maxAgeSeconds })
  }

  #kept(request: Request): SignInChecks | undefined {
    const sealed = readCookie(request.raw.headers.cookie, this.#cookieName)
    if (sealed === undefined) return undefined
    try {
      const { until, ...checks } = JSON.parse(this.#context.secrets.openText(sealed, CONTEXT))
      return this.#context.clock().getTime() < until ? (checks as SignInChecks) : undefined
    } catch (error) {
      // Anybody can send a cookie; one that cannot be opened is ignored.
      if (error instanceof SecretProblem) return undefined
      throw error
    }
  }

  get #cookieName(): string {
    return `${this.#context.settings.Auth.CookieName}-oidc`
  }
}
