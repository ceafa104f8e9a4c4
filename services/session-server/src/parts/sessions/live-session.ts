// The sessions as the rest of the service sees them: who may sign, with what, and how a signing call counts.
import type { Refusal } from '@chancela/service-kernel/errors'
import type { Certificate } from '@chancela/signature-engine/x509'
import type { SessionEnd } from '../../store/tables.ts'

export type Custody =
  | { readonly kind: 'vault' }
  | { readonly kind: 'workstation'; readonly workstationId: string }
  | { readonly kind: 'token'; readonly token: string }

/** The current state of a session. Without its sessionId: whoever has that id can use the session. */
export interface LiveSession {
  /** Internal id of the session: in the store, the log and the console. */
  readonly id: string
  readonly cpf: string
  readonly certificateId: string
  readonly fingerprint: string
  readonly custody: Custody
  readonly applicationId: string
  readonly email: string | null
  readonly windowSeconds: number
  readonly createdAt: Date
  readonly expiresAt: Date
  /** Signing calls that were accepted. */
  readonly signatures: number
}

/** A session's certificate, valid for signing: held, complete, ACTIVE, and naming its holder. */
export interface SigningCertificate {
  readonly id: string
  readonly certificate: Certificate
  readonly chain: readonly Certificate[]
  /** The signer as the signature service gets it. */
  readonly signer: { readonly name: string; readonly cpf: string; readonly email: string }
}

export type DigestAlgorithm = 'SHA-256' | 'SHA-384' | 'SHA-512'

/** One signing call under a session. Only an accepted call counts against the allowance. */
export interface SigningTurn {
  readonly session: LiveSession
  /** Throws the refusal of the contract when the certificate cannot sign. */
  certificate(): Promise<SigningCertificate>
  /**
   * For a workstation: waits for it within the grace period, and asks whether the PIN is still in use; throws
   * WORKSTATION_OFFLINE or SESSION_EXPIRED. For a token of the server: asks it, and throws SESSION_EXPIRED when it is gone.
   * At once for the vault.
   */
  ready(signal: AbortSignal): Promise<void>
  /** Signs with the session's key; the signature is verified against the certificate. */
  sign(digest: Uint8Array, algorithm: DigestAlgorithm, signal: AbortSignal): Promise<Uint8Array>
  /** The call was accepted: restarts the idle window and reduces the allowance by one. Durable when it resolves. */
  accept(now: Date): Promise<void>
  /** Ends the call. A session whose allowance is used up ends here, when no other call of it is running. */
  end(): Promise<void>
}

/** The sessions of this instance. */
export interface Sessions {
  /** The active session with this id. */
  find(sessionId: string, now: Date): LiveSession | undefined
  /** Starts a signing call; throws SESSION_EXPIRED when no active session has the id or its allowance is used up. */
  beginSigning(sessionId: string, now: Date): SigningTurn
  /** Why nothing is done under an id without an active session: the certificate is no longer held, or it has ended. */
  refusalOf(sessionId: string): Promise<Refusal>
  /** Ends an active session and drops its key or PIN; returns when it ended, or undefined when there is none. */
  end(id: string, reason: SessionEnd, now: Date): Promise<Date | undefined>
  /** All that are active, newest first. */
  list(now: Date): readonly LiveSession[]
}
