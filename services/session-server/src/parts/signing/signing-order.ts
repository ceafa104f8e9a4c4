import type { SigningCertificate, SigningTurn } from '../sessions/live-session.ts'
import type { Budget } from './budget.ts'
import type { HeldDocument } from './held-document.ts'

/** The requesting application and its session. */
export interface SigningRequest {
  readonly sessionId: string
  readonly applicationId: string
  readonly correlationId: string
  /** Aborted when the client goes away. */
  readonly client: AbortSignal
}

/** One document of a signing call. */
export interface SigningOrder {
  readonly request: SigningRequest
  readonly turn: SigningTurn
  readonly certificate: SigningCertificate
  readonly budget: Budget
  readonly document: HeldDocument
  readonly batchId: string | null
}

/** The signature service has accepted the document. */
export interface Acceptance {
  readonly signatureId: string
  readonly acceptedAt: Date
}
