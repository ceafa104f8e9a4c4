// The interface between sessions and protocols: what the hub needs of a provider, whatever its protocol.
import type { SessionType } from '../contract/models.ts'
import type { Hashes } from '../rules/digests.ts'
import type { Identifier } from '../rules/requested-identifier.ts'
import type { ConnectionCheck } from './connection-check.ts'

/** What a holder is asked to authorize. */
export interface AuthorizationOrder {
  readonly type: SessionType
  /** Passed to the provider as a hint; the holder may still be somebody else. */
  readonly identifier?: Identifier
  readonly lifetimeSeconds: number
  /** For providers that bind the authorization to hashes. */
  readonly knownHashes?: Hashes
  /** The hub's own callback for this provider. */
  readonly callbackUri: string
  /** The hub's own page for holders of this provider who confirm elsewhere. */
  readonly waitingUri: string
  /** At the provider's page, although it could ask the holder on a phone. */
  readonly atPage?: true
}

/** A redirect of the holder to the provider, or to the hub's own page for a push. */
export interface AuthorizationStep {
  readonly url: string
  /** What is needed when the holder returns (PKCE verifier, …), JSON; the hub seals it. */
  readonly secret: Readonly<Record<string, unknown>>
  /** The holder confirms on a phone (`ProviderAdapter.push`): the URL is the hub's page. */
  readonly push?: true
}

/** Result of a push; a code is redeemed like one from a redirect. */
export type Confirmation = 'pending' | 'denied' | { readonly code: string }

/** Confirmation by the holder on a phone. */
export interface Push {
  /** Triggers the push; returns the code to poll with until the holder has decided. */
  start(order: AuthorizationOrder, secret: AuthorizationStep['secret']): Promise<string>
  poll(pushCode: string): Promise<Confirmation>
}

/** What a provider granted after the holder's consent. All of it is JSON; the hub seals it. */
export interface Grant {
  /** ISO 8601: now + what the provider granted. */
  readonly expiresAt: string
  /** The person the provider says it authenticated, if any. */
  readonly holder?: Identifier
  /** Provider calls it allows: `none` only reads certificates. */
  readonly calls: 'none' | 'one' | 'many'
  /** Most hashes of one call; undefined where the provider does not say. */
  readonly maxHashes?: number
  /** Base64 of the only hashes it allows. */
  readonly boundTo?: readonly string[]
  /** Every call returns a new grant (`Signed.grant`): calls must not overlap. */
  readonly inTurn?: true
  /** The adapter's own data: tokens, credential ids. */
  readonly data: Readonly<Record<string, unknown>>
}

/** Result of redeeming a code. A protocol with two redirects returns `next` first. */
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
   * the old one; the session's expiry does not change.
   */
  readonly grant?: Grant
}

/**
 * A provider behind its protocol. Every method throws only `ProviderProblem` for failures of the provider, has its own
 * deadline, and stops when the signal is aborted.
 */
export interface ProviderAdapter {
  /** False where the protocol has no discovery by identifier, or it is disabled: discovery never finds the provider. */
  readonly discovers: boolean
  /** Whether it holds a certificate for the identifier. */
  discover(identifier: Identifier, signal?: AbortSignal): Promise<boolean>
  /** URL to send the holder to; `state` comes back with the code. */
  begin(order: AuthorizationOrder, state: string): Promise<AuthorizationStep>
  /** Exchanges the holder's code. `state` is for a second redirect, if any. */
  redeem(order: AuthorizationOrder, secret: AuthorizationStep['secret'], code: string, state: string): Promise<Redeemed>
  /** Only where the operator enables confirmation on the phone. */
  readonly push?: Push
  listCertificates(grant: Grant, signal?: AbortSignal): Promise<readonly HeldCertificate[]>
  sign(grant: Grant, order: SigningOrder, signal?: AbortSignal): Promise<Signed>
  /** Notifies the provider that the grant is no longer needed; absent where the protocol has no such call. */
  revoke?(grant: Grant): Promise<void>
  /** Checks what is possible without a holder. */
  test(signal?: AbortSignal): Promise<readonly ConnectionCheck[]>
}

/** A provider as the rest of the hub sees it. */
export interface Provider {
  readonly id: string
  readonly serviceName: string
  readonly company: string
  readonly endpoint: string
  readonly badgeUrl: string
  readonly enabled: boolean
  readonly callbackUri: string
  readonly waitingUri: string
  /** With metrics and a circuit breaker: while that is open, calls throw `unavailable` at once. */
  readonly adapter: ProviderAdapter
  /** False while the circuit breaker is open. */
  readonly available: boolean
  /** Required value of `iss` in a callback, where the operator sets one. */
  readonly issuer?: string
  /** Time for an answer to discovery, instead of the setting. */
  readonly discoveryMilliseconds?: number
  /** Whether it is offered although it did not answer to discovery. */
  readonly keptOnFailure: boolean
  /** Whether it is offered although it cannot be asked who holds a certificate. */
  readonly offeredUnasked: boolean
  /** Whether anybody answers at its address, as of a minute ago. */
  isThere(): Promise<boolean>
}

/** The providers of the hub, kept up to date with the store. */
export interface Providers {
  /** Those that are enabled, in their order. */
  list(): readonly Provider[]
  /** By name, in any case; only an enabled one. */
  find(serviceName: string): Provider | undefined
  /** Any provider, enabled or not: it may have granted a session. */
  get(id: string): Provider | undefined
}
