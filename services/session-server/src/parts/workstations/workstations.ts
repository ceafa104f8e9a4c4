// The interface between sessions and the agents on holders' machines.

/** An agent's answer to a PIN. It is compared there, in constant time, and never presented to the token. */
export type OfferAnswer =
  | { readonly kind: 'confirmed'; readonly fingerprint: string }
  /** A PIN is in use there, and this is another. */
  | { readonly kind: 'differs' }
  /** No PIN is in use there. */
  | { readonly kind: 'no-pin' }
  | { readonly kind: 'unreachable' }

/** Result of a prompt. */
export type PromptAnswer =
  | { readonly kind: 'confirmed'; readonly fingerprint: string }
  /** The holder entered the right PIN, and the client's is different. */
  | { readonly kind: 'differs' }
  | { readonly kind: 'declined' | 'timed-out' | 'not-shown' | 'unreachable' }

/** Certificates of one workstation, and the PIN a client gave for them. */
export interface OfferedPin {
  readonly workstationId: string
  /** Of the certificates that may confirm it. */
  readonly fingerprints: readonly string[]
  readonly pin: string
}

/** What the prompt shows. */
export interface PromptReason {
  readonly cpf: string
  /** Name of the client application. */
  readonly application: string
  readonly seconds: number
  readonly sessionSeconds: number
}

/** A certificate at a workstation. */
export interface HeldAt {
  readonly workstationId: string
  readonly fingerprint: string
}

/** Whether the PIN of a certificate is in use; `lost` when the connection was, `silent` when no answer came over it. */
export type PinCheck = 'in-use' | 'no-pin' | 'lost' | 'silent'

export interface DigestToSign extends HeldAt {
  readonly digest: Uint8Array
  readonly digestAlgorithm: 'SHA-256' | 'SHA-384' | 'SHA-512'
}

/** Why a workstation did not sign. */
export type SignProblemKind = 'offline' | 'no-pin' | 'certificate-absent' | 'token-absent' | 'failed'

export class WorkstationSignProblem extends Error {
  override readonly name = 'WorkstationSignProblem'
  readonly kind: SignProblemKind

  /** The PIN or the certificate is gone: a session that rested on it will never sign again. */
  get isForGood(): boolean {
    return this.kind !== 'offline' && this.kind !== 'failed'
  }

  constructor(kind: SignProblemKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/** The workstations that are connected, and what can be asked of them. */
export interface Workstations {
  isOnline(workstationId: string): boolean
  /** Number of connected workstations. */
  readonly online: number
  /** Resolves true when the workstation connects, false on timeout or abort. */
  untilOnline(workstationId: string, milliseconds: number, signal?: AbortSignal): Promise<boolean>
  offerPin(offer: OfferedPin, signal: AbortSignal): Promise<OfferAnswer>
  /** Prompts the holder; aborting the signal withdraws the prompt. */
  prompt(offer: OfferedPin, reason: PromptReason, signal: AbortSignal): Promise<PromptAnswer>
  checkPin(held: HeldAt, signal: AbortSignal): Promise<PinCheck>
  /** The raw signature: RSA PKCS#1 v1.5 or ECDSA. Throws WorkstationSignProblem. The caller verifies it. */
  sign(request: DigestToSign, signal: AbortSignal): Promise<Uint8Array>
  /** Drops the PIN in use for a certificate: now, or when the workstation reconnects. */
  forget(workstationId: string, fingerprint: string): Promise<void>
  /** Cuts the channel of a workstation whose enrolment was revoked. */
  cut(workstationId: string): void
}
