// The identity provider (OpenID Connect: authorization code with PKCE, state and nonce).

import { type Clock, HOUR, SECOND } from '@chancela/service-kernel/clock'
import { addressPolicy, asFetch, createHttpClient } from '@chancela/service-kernel/http-client'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  type ClientMetadata,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { OidcSettings } from './settings.ts'

/** The identity that the provider returned, with an address it has verified. */
export interface Identity {
  /** The provider's subject identifier, which never changes. */
  readonly id: string
  readonly name: string
  readonly email: string
}

/** Values that only the browser that started a sign-in can bring back. */
export interface SignInChecks {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** The provider's metadata is cached for this time. */
const KNOWN_FOR = HOUR

/** Seconds two clocks may differ. A token's times are the provider's; this machine's own clock checks them. */
const CLOCK_TOLERANCE = 30

/** The provider is first contacted when somebody signs in, so the service starts even if the provider is down. */
export class IdentityProvider {
  readonly #settings: OidcSettings
  readonly #clock: Clock
  readonly #fetch: CustomFetch
  #known: { readonly until: number; readonly configuration: Promise<Configuration> } | undefined

  constructor(settings: OidcSettings, clock: Clock) {
    this.#settings = settings
    this.#clock = clock
    this.#fetch = fetchOf(settings)
  }

  /** The URL to redirect a browser to for sign-in, and the values that must come back with it. */
  async begin(redirectUri: string): Promise<{ readonly url: string; readonly checks: SignInChecks }> {
    const configuration = await this.#configuration()
    const checks = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: 'S256',
    })
    return { url: url.href, checks }
  }

  /** The identity of a browser that came back; undefined when the provider has verified no address of it. */
  async finish(returned: URL, { state, nonce, verifier }: SignInChecks): Promise<Identity | undefined> {
    const configuration = await this.#configuration()
    const tokens = await authorizationCodeGrant(configuration, returned, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()!
    // Many providers leave the address out of the token and return it only from the userinfo endpoint.
    const told =
      claims.email === undefined
        ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : (claims as Readonly<Record<string, unknown>>)
    const { email, email_verified: isVerified, name } = told
    if (typeof email !== 'string' || isVerified !== true) return undefined
    return { id: claims.sub, email: email.toLowerCase(), name: typeof name === 'string' && name ? name : email }
  }

  #configuration(): Promise<Configuration> {
    const now = this.#clock().getTime()
    if (this.#known && now < this.#known.until) return this.#known.configuration
    const configuration = discover(this.#settings, this.#fetch)
    this.#known = { until: now + KNOWN_FOR, configuration }
    // Not cached after a failure: the next sign-in tries again.
    configuration.catch(() => {
      if (this.#known?.configuration === configuration) this.#known = undefined
    })
    return configuration
  }
}

/** Limit for metadata, userinfo and signing keys. */
const ANSWER_BYTES = 1_048_576

/**
 * The operator configures the issuer, so any address is allowed for it; the addresses it returns are checked, so that a
 * manipulated answer cannot make the console call into its own network.
 */
function fetchOf({ Issuer, AllowedHosts, TimeoutSeconds }: OidcSettings): CustomFetch {
  const issuerHost = new URL(Issuer!).hostname.replace(/^\[(.*)\]$/, '$1')
  const client = createHttpClient({
    policy: addressPolicy({ allowed: [issuerHost, ...AllowedHosts] }),
    connectTimeoutMs: TimeoutSeconds * SECOND,
    deadlineMs: TimeoutSeconds * SECOND,
    maxAnswerBytes: ANSWER_BYTES,
  })
  // No request here sends a stream.
  return asFetch(client) as CustomFetch
}

function discover({ Issuer, ClientId, ClientSecret, TimeoutSeconds }: OidcSettings, fetch: CustomFetch) {
  const metadata: Partial<ClientMetadata> = { [clockTolerance]: CLOCK_TOLERANCE }
  // The settings allow plain http on this machine only.
  const execute = Issuer!.startsWith('http:') ? [allowInsecureRequests] : []
  return discovery(new URL(Issuer!), ClientId!, metadata, clientAuth(ClientSecret), {
    execute,
    timeout: TimeoutSeconds,
    [customFetch]: fetch,
  })
}

/** Client authentication: Basic, which every provider must support, unless its metadata lists only the other. */
function clientAuth(secret: string | undefined): ClientAuth {
  if (secret === undefined) return None()
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const chosen = methods.includes('client_secret_basic') ? ClientSecretBasic : ClientSecretPost
    chosen(secret)(server, ...rest)
  }
}

/** Errors that mean the sign-in is refused. Any other error means that the provider could not be reached. */
const REFUSALS: ReadonlySet<unknown> = new Set([
  'OAUTH_AUTHORIZATION_RESPONSE_ERROR',
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_RESPONSE_BODY_ERROR',
  'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
])

/** Whether the provider refused the sign-in, or its response must not be trusted. */
export function isRefusal(error: unknown): boolean {
  const { code, status = 400 } = error as { readonly code?: unknown; readonly status?: number }
  return REFUSALS.has(code) && status < 500
}
