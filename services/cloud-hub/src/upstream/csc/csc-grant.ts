// What a CSC server granted, as the session keeps it.
import { plus, SECOND } from '@chancela/service-kernel/clock'
import { secondsOf } from '../json-values.ts'
import type { Grant } from '../provider.ts'
import type { Credential } from './credentials.ts'
import type { CscServer } from './csc-server.ts'

/** Lifetime of a token in seconds where the server does not say. */
const DEFAULT_SECONDS = 3600

/** A token with its expiry. */
export interface Lived {
  readonly token: string
  /** ISO 8601. */
  readonly until: string
}

export const lived = ({ clock }: CscServer, token: string, seconds: unknown): Lived => ({
  token,
  until: plus(clock(), (secondsOf(seconds) ?? DEFAULT_SECONDS) * SECOND).toISOString(),
})

/** What may be signed, and with which token. */
export interface Activation {
  readonly credentialId: string
  readonly algorithms: readonly string[]
  /** The SAD beside the service's bearer, or the bearer itself. */
  readonly token: string
  readonly isBearer: boolean
  /** One call of signHash used up the SAD; it has to be extended first. */
  readonly isSpent: boolean
  /** Signatures that may still be made. */
  readonly left: number
  /** Base64 of the only hashes that may still be signed. */
  readonly hashes?: readonly string[]
}

/** The adapter's own part of a grant; without an activation it reads certificates only. */
export type CscGrantData = {
  readonly service: Lived
  readonly activation?: Activation
}

export const dataOf = (grant: Grant): CscGrantData => grant.data as CscGrantData

/** A grant that only identifies the holder. */
export const identityGrant = (service: Lived): Grant => ({
  expiresAt: service.until,
  calls: 'none',
  data: { service },
})

/** A grant to sign with one credential. */
export function signingGrant(
  { knobs: { maxHashesPerCall } }: CscServer,
  calls: 'one' | 'many',
  service: Lived,
  { until }: Pick<Lived, 'until'>,
  activation: Activation,
): Grant {
  return {
    expiresAt: until < service.until ? until : service.until,
    calls,
    maxHashes: Math.min(activation.left, maxHashesPerCall ?? Number.POSITIVE_INFINITY),
    ...(activation.hashes && { boundTo: activation.hashes }),
    ...(calls === 'many' && isChanging(activation) && { inTurn: true }),
    data: { service, activation },
  }
}

/** The initial activation of a credential. */
export const newActivation = (
  { alias, algorithms }: Pick<Credential, 'alias' | 'algorithms'>,
  token: { readonly token: string; readonly isBearer: boolean },
  { numSignatures, hashes }: { readonly numSignatures: number; readonly hashes?: readonly string[] | undefined },
): Activation => ({
  credentialId: alias,
  algorithms,
  ...token,
  isSpent: false,
  left: numSignatures,
  ...(hashes && { hashes }),
})

/** A SAD is valid for one call; a bearer for many, counted by the server. The hub counts hashes, too. */
const isChanging = ({ isBearer, hashes }: Activation): boolean => !isBearer || hashes !== undefined
