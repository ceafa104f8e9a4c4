// The redirect of a browser to the identity provider, and the callback.
import { randomUUID } from 'node:crypto'
import { type Clock, MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { type Call, type Logger, readCookie, setCookie } from '@chancela/service-kernel/http'
import { SecretProblem, type Secrets } from '@chancela/service-kernel/secrets'
import type { oidcProblems } from './contract/index.ts'
import { type Claims, type IdentityProvider, isRefusal, type SignInChecks } from './identity-provider.ts'

type Request = Call['request']

export type OidcProblem = (typeof oidcProblems)[number]

/** The next redirect with its cookies. */
interface Onward {
  readonly to: string
  readonly cookies: readonly string[]
}

/** The next redirect with its cookies; or why the sign-in failed. */
export type Step = Onward | { readonly problem: OidcProblem; readonly cookies: readonly string[] }

/** Decides about whom the provider named: where the browser goes, with which cookies; or undefined, a refusal. */
type Admit = (claims: Claims, trip: Pick<Kept, 'returnTo' | 'isFresh' | 'sessionId'>) => Promise<Onward | undefined>

/** The content of the cookie of a browser that is away. */
interface Kept extends SignInChecks {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly until: number
  /** The page that the browser came from. */
  readonly returnTo?: string | undefined
  /** Whether the provider was told to ask again. */
  readonly isFresh: boolean
  /** The session it is a proof for: its own cookie does not come back from another site. */
  readonly sessionId?: string | undefined
}

type Wishes = Partial<Pick<Kept, 'isFresh' | 'sessionId'>>

/** Time limit for the sign-in at the provider. */
const AWAY_FOR = 10 * MINUTE

interface TripOptions {
  readonly provider: IdentityProvider | undefined
  readonly secrets: Secrets
  readonly clock: Clock
  readonly logger: Logger
  /** Of the cookie that holds the values, and what it is sealed for. */
  readonly cookieName: string
  readonly context: string
  /** Where browsers reach the service, if it is told. */
  readonly publicUrl: string | undefined
  /** The path of the callback. */
  readonly callback: string
  /** Whether the claims of the token suffice. Default: they have an address. */
  suffice?(claims: Claims): boolean
  /** Whether this is the first callback of a trip, for every process; without it the provider's code alone is used once. */
  isFirst?(tripId: string, until: Date, now: Date): Promise<boolean>
}

const hasAddress = ({ email }: Claims): boolean => email !== undefined

export class OidcTrip {
  readonly #options: TripOptions

  constructor(options: TripOptions) {
    this.#options = options
  }

  /** Redirects the browser to the provider; a sealed cookie holds the values that must come back. */
  async begin(request: Request, returnTo?: string, { isFresh = false, sessionId }: Wishes = {}): Promise<Step> {
    const { provider } = this.#options
    if (!provider) return { problem: 'OIDC_UNAVAILABLE', cookies: [] }
    try {
      const { url, checks } = await provider.begin(this.#returnAddress(request), { isFresh })
      return { to: url, cookies: [this.#keep({ ...checks, returnTo, isFresh, sessionId })] }
    } catch (error) {
      return this.#failed(error, 'OIDC_UNAVAILABLE')
    }
  }

  /** Handles the callback. In any case the cookie can be used only once. */
  async finish(request: Request, admit: Admit): Promise<Step> {
    const { provider, suffice = hasAddress } = this.#options
    const kept = this.#kept(request)
    if (!provider || !kept || !(await this.#isFirst(kept))) return this.#refused()
    const returned = new URL(this.#returnAddress(request))
    returned.search = new URL(request.url, returned).search
    let claims: Claims
    try {
      claims = await provider.finish(returned, kept, suffice)
    } catch (error) {
      return this.#failed(error, isRefusal(error) ? 'OIDC_REFUSED' : 'OIDC_UNAVAILABLE')
    }
    const onward = await admit(claims, kept)
    return onward ? { to: onward.to, cookies: [this.#forget(), ...onward.cookies] } : this.#refused()
  }

  async #isFirst({ id, until }: Kept): Promise<boolean> {
    const { isFirst, clock } = this.#options
    return isFirst ? isFirst(id, new Date(until), clock()) : true
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
    const base = this.#options.publicUrl?.replace(/\/$/, '') ?? `${request.protocol}://${request.host}`
    return `${base}${this.#options.callback}`
  }

  #keep(trip: Omit<Kept, 'id' | 'until'>): string {
    const { clock, secrets, context } = this.#options
    const kept: Kept = { ...trip, id: randomUUID(), until: clock().getTime() + AWAY_FOR }
    return this.#cookie(secrets.seal(JSON.stringify(kept), context), AWAY_FOR / SECOND)
  }

  #forget(): string {
    return this.#cookie('', 0)
  }

  // Lax: the callback is a cross-site navigation, on which a Strict cookie would not be sent.
  #cookie(value: string, maxAgeSeconds: number): string {
    return setCookie(this.#options.cookieName, value, { sameSite: 'Lax', maxAgeSeconds })
  }

  #kept(request: Request): Kept | undefined {
    const { cookieName, secrets, context, clock } = this.#options
    const sealed = readCookie(request.raw.headers.cookie, cookieName)
    if (sealed === undefined) return undefined
    try {
      const kept = JSON.parse(secrets.openText(sealed, context)) as Kept
      return clock().getTime() < kept.until ? kept : undefined
    } catch (error) {
      // Anybody can send a cookie; one that cannot be opened is ignored.
      if (error instanceof SecretProblem) return undefined
      throw error
    }
  }
}
