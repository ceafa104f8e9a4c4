import type { Certificate } from '@chancela/signature-engine/x509'

/** A certificate that this machine holds. */
export interface HeldCertificate {
  readonly certificate: Certificate
  /** Issuers that came with it, nearest first. */
  readonly chain: readonly Certificate[]
}

export type DigestAlgorithm = 'SHA-256' | 'SHA-384' | 'SHA-512'

/** The engine's names of the digests on the wire. */
export const digestNames = { 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512' } as const

/** Why the PIN a holder typed is not in use. */
export type Refused =
  | { readonly kind: 'wrong' }
  /** One more wrong PIN would lock the token: only a holder who says so may try. */
  | { readonly kind: 'final-try' }
  | { readonly kind: 'locked' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly reason: string }

/** What the token says of its PIN before anybody tries one. */
export type PinState = 'fine' | 'count-low' | 'final-try' | 'locked'

export type SignProblemKind = 'no-pin' | 'certificate-absent' | 'token-absent' | 'failed'

/** Why a source did not sign. */
export class SignProblem extends Error {
  override readonly name = 'SignProblem'
  readonly kind: SignProblemKind

  constructor(kind: SignProblemKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/** Where keys are: a token, or a file. It has one PIN, and one PIN is in use or none. */
export interface Source {
  /** Names it inside. */
  readonly id: string
  /** For people: the label of the token, the name of the file. */
  readonly name: string
  readonly certificates: readonly HeldCertificate[]
  readonly hasPin: boolean
  /** Whether an offered PIN is the one in use. It is compared here and goes nowhere else. */
  isPinInUse(offered: string): boolean
  pinState(): Promise<PinState>
  /** Tries the PIN a holder typed; it is in use when it is right, and nothing is when it is not. */
  unlock(typed: string, options: { readonly finalTry: boolean }): Promise<Refused | undefined>
  /** Drops the PIN in use. */
  lock(): Promise<void>
  /** Throws `SignProblem`. */
  sign(fingerprint: string, algorithm: DigestAlgorithm, digest: Uint8Array): Promise<Uint8Array>
}
