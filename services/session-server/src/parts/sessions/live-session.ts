// What the rest of the service sees of sessions: who may sign, with what, and how a signing call counts.
import type { Certificate } from '@chancela/signature-engine/x509'
import type { SessionEnd } from '../../store/tables.ts'

export type Custody = { readonly kind: 'vault' } | { readonly kind: 'workstation'; readonly workstationId: string }

/** A session as it is now. Its sessionId is not in it: whoever has the id has the session. */
export interface LiveSession {
  /** Names the session inside: in the store, the log and the console. */
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

/** The certificate a session rests on, fit to sign: held, whole, ACTIVE, and naming its holder. */
export interface SigningCertificate {
  readonly id: string
  readonly certificate: Certificate
  readonly chain: readonly Certificate[]
  /** Whom the signature service is told to be the signer. */
  readonly signer: { readonly name: string; readonly cpf: string; readonly email: string }
}

export type DigestAlgorithm = 'SHA-256' | 'SHA-384' | 'SHA-512'

/** One signing call under a session. It is counted when accepted; one that is not costs nothing. */
export interface SigningTurn {
  readonly session: LiveSession
  /** Throws the refusal of the contract when the certificate cannot sign. */
  certificate(): Promise<SigningCertificate>
  /** For a workstation: waits for it to be back within the grace; throws WORKSTATION_OFFLINE. At once for the vault. */
  ready(signal: AbortSignal): Promise<void>
  /** Signs with the session's key, wherever it is; the answer was verified against the certificate. */
  sign(digest: Uint8Array, algorithm: DigestAlgorithm, signal: AbortSignal): Promise<Uint8Array>
  /** The call was accepted: the idle window begins anew and the allowance is one less. Durable when it resolves. */
  accept(now: Date): Promise<void>
  /** The call is over. A session whose allowance is spent ends here, when no other call of it is under way. */
  end(): Promise<void>
}

/** The sessions of this instance. */
export interface Sessions {
  /** The active session with this id. */
  find(sessionId: string, now: Date): LiveSession | undefined
  /** Begins a signing call; throws SESSION_EXPIRED when nothing active has the id or its allowance is spent. */
  beginSigning(sessionId: string, now: Date): SigningTurn
  /** Ends an active session and drops what it rested on; the time it ended, or nothing when there is none. */
  end(id: string, reason: SessionEnd, now: Date): Promise<Date | undefined>
  /** All that are active, newest first. */
  list(now: Date): readonly LiveSession[]
}
