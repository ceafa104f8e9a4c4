import type { Certificate } from '@chancela/signature-engine/x509'

/** A certificate on this machine. */
export interface HeldCertificate {
  readonly certificate: Certificate
  /** Issuers that came with it, nearest first. */
  readonly chain: readonly Certificate[]
}

export type DigestAlgorithm = 'SHA-256' | 'SHA-384' | 'SHA-512'

/** The engine's names of the digests on the wire. */
export const digestNames = { 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512' } as const

/** Why the PIN a holder typed was not accepted. */
export type Refused =
  | { readonly kind: 'wrong' }
  /** One more wrong PIN would lock the token: the holder must confirm the try. */
  | { readonly kind: 'final-try' }
  | { readonly kind: 'locked' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly reason: string }

/** The token's PIN state before any try. */
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

/** A token or file with keys. It has one PIN, which is in use or not. */
export interface Source {
  /** Internal id. */
  readonly id: string
  /** For people: the label of the token, the name of the file. */
  readonly name: string
  readonly certificates: readonly HeldCertificate[]
  readonly hasPin: boolean
  /** Looks now whether the token is in its reader, the file in its place. */
  isPresent(): Promise<boolean>
  /** Whether an offered PIN is the one in use. It is only compared. */
  isPinInUse(offered: string): boolean
  pinState(): Promise<PinState>
  /** Tries the PIN a holder typed; if it is wrong, no PIN is in use. */
  unlock(typed: string, options: { readonly finalTry: boolean }): Promise<Refused | undefined>
  /** Drops the PIN in use. */
  lock(): Promise<void>
  /** Throws `SignProblem`. */
  sign(fingerprint: string, algorithm: DigestAlgorithm, digest: Uint8Array): Promise<Uint8Array>
}
