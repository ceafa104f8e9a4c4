// The identity provider (OpenID Connect: authorization code with PKCE, state and nonce).

import { type Clock, HOUR, MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { type CheckResult, type UpstreamContext, watchUpstream } from '@chancela/service-kernel/health'
import { addressPolicy, asFetch, createHttpClient } from '@chancela/service-kernel/http-client'
import { asOneLine } from '@chancela/service-kernel/text'
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

/** A provider, and this service as its client. */
export interface ProviderSettings {
  readonly Issuer: string
  readonly ClientId: string
  readonly ClientSecret?: string | undefined
  readonly TimeoutSeconds: number
  readonly AllowedHosts: readonly string[]
  /** What is asked for; `openid` is among them. */
  readonly Scopes?: readonly string[]
}

/** What the provider tells of a person. */
export type Claims = Readonly<Record<string, unknown>> & {
  /** The provider's subject identifier, which never changes. */
  readonly sub: string
}

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

/** The identity in what the provider told; undefined when it has verified no address. */
export function verifiedIdentity({ sub, email, email_verified: isVerified, name }: Claims): Identity | undefined {
  if (typeof email !== 'string' || isVerified !== true) return undefined
  return { id: sub, email: email.toLowerCase(), name: (typeof name === 'string' && asOneLine(name)) || email }
}

/** The provider's metadata is cached for this time. */
const KNOWN_FOR = HOUR

/** An answer that is older does not show that the provider is there. */
const REACHED_FOR = MINUTE

const SCOPES = ['openid', 'email', 'profile']

/** Seconds two clocks may differ. A token's times are the provider's; this machine's own clock checks them. */
const CLOCK_TOLERANCE = 30

/** Seconds since somebody was asked again who they are; the token must say when, and browsers take a moment to return. */
const FRESH_FOR = 60

/** The provider is first contacted when somebody signs in, so the service starts even if the provider is down. */
export class IdentityProvider {
  readonly #settings: ProviderSettings
  readonly #clock: Clock
  readonly #fetch: CustomFetch
  #known: { readonly since: number; readonly configuration: Promise<Configuration> } | undefined

  constructor(settings: ProviderSettings, clock: Clock) {
    this.#settings = settings
    this.#clock = clock
    this.#fetch = fetchOf(settings)
  }

  /** The URL to redirect a browser to for sign-in, and the values that must come back with it. */
  async begin(
    redirectUri: string,
    { isFresh = false } = {},
  ): Promise<{ readonly url: string; readonly checks: SignInChecks }> {
    const configuration = await this.#configuration()
    const checks = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: (this.#settings.Scopes ?? SCOPES).join(' '),
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: 'S256',
      ...(isFresh && { prompt: 'login', max_age: String(FRESH_FOR) }),
    })
    return { url: url.href, checks }
  }

  /**
   * What the provider tells of a browser that came back. The claims are those of the token, and where these do not
   * suffice, those of the userinfo endpoint besides: many providers tell most of them only there.
   */
  async finish(
    returned: URL,
    { state, nonce, verifier, isFresh = false }: SignInChecks & { readonly isFresh?: boolean },
    suffice: (claims: Claims) => boolean,
  ): Promise<Claims> {
    const configuration = await this.#configuration()
    const tokens = await authorizationCodeGrant(configuration, returned, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
      ...(isFresh && { maxAge: FRESH_FOR }),
    })
    const claims: Claims = tokens.claims()!
    if (suffice(claims) || configuration.serverMetadata().userinfo_endpoint === undefined) return claims
    // The token is signed: what it says goes before.
    return { ...(await fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims }
  }

  /** Throws while the provider does not answer. */
  async reach(): Promise<void> {
    await this.#configuration(REACHED_FOR)
  }

  #configuration(knownFor = KNOWN_FOR): Promise<Configuration> {
    const now = this.#clock().getTime()
    if (this.#known && now < this.#known.since + knownFor) return this.#known.configuration
    const configuration = discover(this.#settings, this.#fetch)
    this.#known = { since: now, configuration }
    // Not cached after a failure: the next sign-in tries again.
    configuration.catch(() => {
      if (this.#known?.configuration === configuration) this.#known = undefined
    })
    return configuration
  }
}

/** The provider of a service, if it is to be used; their rules have required what it needs. */
export const enabledProvider = (settings: OidcSettings, clock: Clock): IdentityProvider | undefined =>
  settings.Enabled
    ? new IdentityProvider({ ...settings, Issuer: settings.Issuer!, ClientId: settings.ClientId! }, clock)
    : undefined

/** Adds the check `identity-provider`, red while nobody could sign in there; whoever has a session goes on. */
export function watchProvider(context: UpstreamContext, provider: IdentityProvider | undefined): void {
  if (provider) watchUpstream(context, 'identity-provider', () => answers(provider))
}

async function answers(provider: IdentityProvider): Promise<CheckResult> {
  try {
    await provider.reach()
    return { ok: true, detail: 'The identity provider answers.' }
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message: string }
    return { ok: false, detail: `The identity provider cannot be asked (${code ?? message}): nobody can sign in.` }
  }
}

/** Limit for metadata, userinfo and signing keys. */
const ANSWER_BYTES = 1_048_576

/**
 * The operator configures the issuer, so any address is allowed for it; the addresses it returns are checked, so that a
 * manipulated answer cannot make the console call into its own network.
 */
function fetchOf({ Issuer, AllowedHosts, TimeoutSeconds }: ProviderSettings): CustomFetch {
  const issuerHost = new URL(Issuer).hostname.replace(/^\[(.*)\]$/, '$1')
  const client = createHttpClient({
    policy: addressPolicy({ allowed: [issuerHost, ...AllowedHosts] }),
    connectTimeoutMs: TimeoutSeconds * SECOND,
    deadlineMs: TimeoutSeconds * SECOND,
    maxAnswerBytes: ANSWER_BYTES,
  })
  // No request here sends a stream.
  return asFetch(client) as CustomFetch
}

function discover({ Issuer, ClientId, ClientSecret, TimeoutSeconds }: ProviderSettings, fetch: CustomFetch) {
  const metadata: Partial<ClientMetadata> = { [clockTolerance]: CLOCK_TOLERANCE }
  // The settings allow plain http on this machine only.
  const execute = Issuer.startsWith('http:') ? [allowInsecureRequests] : []
  return discovery(new URL(Issuer), ClientId, metadata, clientAuth(ClientSecret), {
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
