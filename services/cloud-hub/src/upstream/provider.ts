// What the hub asks of a provider, whatever protocol it speaks: the seam between sessions and protocols.
import type { SessionType } from '../contract/models.ts'
import type { Hashes } from '../rules/digests.ts'
import type { Identifier } from '../rules/requested-identifier.ts'

/** What a holder is asked to authorize. */
export interface AuthorizationOrder {
  readonly type: SessionType
  /** Passed to the provider as a hint; the holder may still be somebody else. */
  readonly identifier?: Identifier
  readonly lifetimeSeconds: number
  /** Where a provider binds the authorization to them. */
  readonly knownHashes?: Hashes
  /** The hub's own address for this provider. */
  readonly callbackUri: string
  /** The hub's own page for holders of this provider who are asked elsewhere. */
  readonly waitingUri: string
}

/** A redirect of the holder to the provider, or to the hub's own page where the provider is asked from there. */
export interface AuthorizationStep {
  readonly url: string
  /** What is needed to go on when the holder comes back (PKCE verifier, …), JSON; the hub seals it. */
  readonly secret: Readonly<Record<string, unknown>>
  /** The holder confirms on a phone (`ProviderAdapter.push`): the address is that of the hub's page. */
  readonly push?: true
}

/** What became of a holder who was asked on a phone; a code is redeemed like one that a holder brings. */
export type Confirmation = 'pending' | 'denied' | { readonly code: string }

/** Asking the holder on a phone. */
export interface Push {
  /** Rings the phone; what it returns is asked about until the holder has decided. */
  start(order: AuthorizationOrder, secret: AuthorizationStep['secret']): Promise<string>
  poll(pushCode: string): Promise<Confirmation>
}

/** What a provider gave after the holder's consent. All of it is JSON; the hub seals it. */
export interface Grant {
  /** ISO 8601: now + what the provider granted. */
  readonly expiresAt: string
  /** Whom the provider says it authenticated, where it does. */
  readonly holder?: Identifier
  /** Provider calls it is good for: `none` reads certificates only. */
  readonly calls: 'none' | 'one' | 'many'
  /** Most hashes of one call; nothing where the provider does not say. */
  readonly maxHashes?: number
  /** Base64 of the only hashes it is good for. */
  readonly boundTo?: readonly string[]
  /** Every call leaves another grant (`Signed.grant`): calls must not overlap. */
  readonly inTurn?: true
  /** The adapter's own: tokens, credential ids. */
  readonly data: Readonly<Record<string, unknown>>
}

/** What became of a code. A protocol with two redirects answers `next` first. */
export type Redeemed =
  | { readonly kind: 'granted'; readonly grant: Grant }
  | { readonly kind: 'next'; readonly step: AuthorizationStep }

export interface HeldCertificate {
  readonly alias: string
  readonly der: Uint8Array
}

export interface SigningOrder {
  readonly certificate: HeldCertificate
  readonly hashes: Hashes
}

export interface Signed {
  /** In the order of the hashes, each verified with the certificate. */
  readonly signatures: readonly Uint8Array[]
  /**
   * What is left of a grant whose calls must not overlap (CSC: a new SAD, fewer hashes). The hub seals it in place of
   * the old one; when the session expires does not change.
   */
  readonly grant?: Grant
}

/** One line of the report on a provider's connection. */
export interface ConnectionCheck {
  /** What was tried, such as `user-discovery`. */
  readonly name: string
  readonly ok: boolean
  /** One English sentence without secrets. */
  readonly text: string
}

/**
 * A provider behind its protocol. Every method throws `ProviderProblem` and nothing else for what the provider does, keeps
 * its own deadline, and gives up when the signal fires.
 */
export interface ProviderAdapter {
  /** False where the protocol has no discovery by identifier, or it is switched off: such a provider is never found. */
  readonly discovers: boolean
  /** Whether it holds a certificate for the identifier. */
  discover(identifier: Identifier, signal?: AbortSignal): Promise<boolean>
  /** Where to send the holder; `state` comes back with the code. */
  begin(order: AuthorizationOrder, state: string): Promise<AuthorizationStep>
  /** Exchanges the code the holder brought. `state` is for a second redirect, should there be one. */
  redeem(order: AuthorizationOrder, secret: AuthorizationStep['secret'], code: string, state: string): Promise<Redeemed>
  /** Only where the operator says that holders confirm on the phone. */
  readonly push?: Push
  listCertificates(grant: Grant, signal?: AbortSignal): Promise<readonly HeldCertificate[]>
  sign(grant: Grant, order: SigningOrder, signal?: AbortSignal): Promise<Signed>
  /** Tells the provider that the grant is no longer needed; nothing where its protocol has no such call. */
  revoke?(grant: Grant): Promise<void>
  /** Tries what can be tried without a holder. */
  test(signal?: AbortSignal): Promise<readonly ConnectionCheck[]>
}

/** A provider as the rest of the hub knows it. */
export interface Provider {
  readonly id: string
  readonly serviceName: string
  readonly company: string
  readonly endpoint: string
  readonly badgeUrl: string
  readonly enabled: boolean
  readonly callbackUri: string
  readonly waitingUri: string
  /** Measured, and left alone for a while after failures: a call then throws `unavailable` at once. */
  readonly adapter: ProviderAdapter
  /** False while it is left alone. */
  readonly available: boolean
  /** What `iss` of a callback must be, where the operator says so. */
  readonly issuer?: string
  /** Time for an answer to discovery, instead of the setting. */
  readonly discoveryMilliseconds?: number
}

/** The providers of the hub, kept in step with the store. */
export interface Providers {
  /** Those that are enabled, in their order. */
  list(): readonly Provider[]
  /** By name, in any case; only an enabled one. */
  find(serviceName: string): Provider | undefined
  /** Whichever granted a session, enabled or not. */
  get(id: string): Provider | undefined
}
