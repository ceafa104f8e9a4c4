// The redirect of a browser to the identity provider, and the callback.
import { type Clock, MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { type Call, isHttps, type Logger, readCookie, setCookie } from '@chancela/service-kernel/http'
import { SecretProblem, type Secrets } from '@chancela/service-kernel/secrets'
import type { oidcProblems } from './contract/index.ts'
import { type Identity, IdentityProvider, isRefusal, type SignInChecks } from './identity-provider.ts'
import type { OidcSettings } from './settings.ts'

type Request = Call['request']

export type OidcProblem = (typeof oidcProblems)[number]

/** The next redirect with its cookies; or why the sign-in failed. */
export type Step =
  | { readonly to: string; readonly cookies: readonly string[] }
  | { readonly problem: OidcProblem; readonly cookies: readonly string[] }

/** Time limit for the sign-in at the provider. */
const AWAY_FOR = 10 * MINUTE

interface TripOptions {
  readonly settings: OidcSettings
  readonly secrets: Secrets
  readonly clock: Clock
  readonly logger: Logger
  /** Of the cookie that holds the values, and what it is sealed for. */
  readonly cookieName: string
  readonly context: string
  /** Where browsers reach the service, if it is told. */
  readonly publicUrl: string | undefined
  /** The page that somebody who signed in sees first. */
  readonly home: string
}

export class OidcTrip {
  readonly #options: TripOptions
  readonly #provider: IdentityProvider | undefined

  constructor(options: TripOptions) {
    this.#options = options
    const { settings, clock } = options
    this.#provider = settings.Enabled ? new IdentityProvider(settings, clock) : undefined
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

  /**
   * Handles the callback. In any case the cookie can be used only once. `admit` decides about a person whose address the
   * provider has verified: it returns the Set-Cookie header of a session, or nothing.
   */
  async finish(request: Request, admit: (identity: Identity) => Promise<string | undefined>): Promise<Step> {
    const checks = this.#kept(request)
    if (!this.#provider || !checks) return this.#refused()
    const returned = new URL(this.#returnAddress(request))
    returned.search = new URL(request.url, returned).search
    let identity: Identity | undefined
    try {
      identity = await this.#provider.finish(returned, checks)
    } catch (error) {
      return this.#failed(error, isRefusal(error) ? 'OIDC_REFUSED' : 'OIDC_UNAVAILABLE')
    }
    const session = identity && (await admit(identity))
    return session === undefined ? this.#refused() : { to: this.#options.home, cookies: [this.#forget(), session] }
  }

  #refused(): Step {
    return { problem: 'OIDC_REFUSED', cookies: [this.#forget()] }
  }

  /** Only the kind of failure is logged: a provider's answer may contain tokens. */
  #failed(error: unknown, problem: OidcProblem): Step {
    const { code, name, error: told } = error as { code?: unknown; name?: unknown; error?: unknown }
    this.#options.logger.warn({ problem, code, kind: name, told }, 'OIDC sign-in failed')
    return { problem, cookies: [this.#forget()] }
  }

  #returnAddress(request: Request): string {
    // A forged Host header does no harm: the provider redirects only to addresses registered beforehand.
    const base = this.#options.publicUrl?.replace(/\/$/, '') ?? `http://${request.host}`
    return `${base}/oidc/callback`
  }

  #keep(checks: SignInChecks): string {
    const { clock, secrets, context } = this.#options
    const until = clock().getTime() + AWAY_FOR
    return this.#cookie(secrets.seal(JSON.stringify({ ...checks, until }), context), AWAY_FOR / SECOND)
  }

  #forget(): string {
    return this.#cookie('', 0)
  }

  // Lax: the callback is a cross-site navigation, on which a Strict cookie would not be sent.
  #cookie(value: string, maxAgeSeconds: number): string {
    const { cookieName, publicUrl } = this.#options
    return setCookie(cookieName, value, { sameSite: 'Lax', secure: isHttps(publicUrl), maxAgeSeconds })
  }

  #kept(request: Request): SignInChecks | undefined {
    const { cookieName, secrets, context, clock } = this.#options
    const sealed = readCookie(request.raw.headers.cookie, cookieName)
    if (sealed === undefined) return undefined
    try {
      const { until, ...checks } = JSON.parse(secrets.openText(sealed, context))
      return clock().getTime() < until ? (checks as SignInChecks) : undefined
    } catch (error) {
      // Anybody can send a cookie; one that cannot be opened is ignored.
      if (error instanceof SecretProblem) return undefined
      throw error
    }
  }
}
