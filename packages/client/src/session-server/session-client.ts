import { createCaller } from '../core/caller.ts'
import { fileOf, type NamedDocument } from '../core/document-content.ts'
import type { Answered } from '../core/exchange.ts'
import type { CallOptions, ClientOptions } from '../core/options.ts'
import { joined, type WithCorrelation } from '../core/with-correlation.ts'
import type {
  BatchResult,
  CertificateInfo,
  CreateSessionRequest,
  EndedSession,
  Operations,
  Session,
  SessionStatus,
  SignatureAcceptance,
} from './generated.ts'
import { sessionServer } from './service.ts'
import { type WaitOptions, waitForDocument } from './wait-for-document.ts'

/** A document to be signed under a session. */
export interface SignRequest extends NamedDocument {
  readonly sessionId: string
}

export interface SignBatchRequest {
  readonly sessionId: string
  /** Their order is that of the results. */
  readonly documents: readonly NamedDocument[]
}

type BatchEntry = BatchResult['results'][number]

/** The result of one document of a batch, by `status`. */
export type BatchItem =
  | (BatchEntry & { readonly status: 'PROCESSING'; readonly signatureId: string; readonly error: null })
  | (BatchEntry & { readonly status: 'ERROR'; readonly signatureId: null; readonly error: object })

export interface BatchOutcome extends BatchResult {
  readonly results: readonly BatchItem[]
}

export interface SignedDocument {
  /** The signed PDF. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The operations of a session server. Each throws `ChancelaError` or `ChancelaConnectionError`. */
export interface SessionClient {
  /**
   * Opens a session with the certificate that confirms the PIN; an earlier session of the CPF ends. Waits while the
   * holder is asked for the PIN at a workstation. The client never sends a refused PIN again: see
   * TOO_MANY_PIN_ATTEMPTS.
   */
  openSession(request: CreateSessionRequest, options?: CallOptions): Promise<WithCorrelation<Session>>
  /** Whether a session is active. Never extends it. */
  sessionStatus(sessionId: string, options?: CallOptions): Promise<WithCorrelation<SessionStatus>>
  /** Ends a session and drops its secret. */
  deactivate(sessionId: string, options?: CallOptions): Promise<WithCorrelation<EndedSession>>
  /** The certificate of a session, as last recorded. Never extends the session. */
  certificateInfo(sessionId: string, options?: CallOptions): Promise<WithCorrelation<CertificateInfo>>
  /** Submits a PDF for signing. Accepted, not signed: `waitForDocument` returns the result. */
  sign(request: SignRequest, options?: CallOptions): Promise<WithCorrelation<SignatureAcceptance>>
  /** Submits several PDFs in one call. It succeeds even when single documents fail: read the results. */
  signBatch(request: SignBatchRequest, options?: CallOptions): Promise<WithCorrelation<BatchOutcome>>
  /** The signed PDF, or DOCUMENT_NOT_READY. */
  document(signatureId: string, options?: CallOptions): Promise<WithCorrelation<SignedDocument>>
  /** Waits for the signed PDF. */
  waitForDocument(signatureId: string, options?: WaitOptions): Promise<WithCorrelation<SignedDocument>>
}

/** A client of the session server at an address. It holds no resources: there is nothing to close. */
export function createSessionClient(options: ClientOptions): SessionClient {
  const call = createCaller<Operations>(sessionServer, options)

  const document = async (signatureId: string, how?: CallOptions) => {
    const { answer: bytes, correlationId } = await call('readDocument', { parameters: { signatureId } }, how)
    return { bytes, correlationId }
  }

  return {
    openSession: async (request, how) => joined(await call('createSession', { body: request }, how)),
    sessionStatus: async (sessionId, how) =>
      joined(await call('readSessionStatus', { parameters: { sessionId } }, how)),
    deactivate: async (sessionId, how) => joined(await call('deactivateSession', { body: { sessionId } }, how)),
    certificateInfo: async (sessionId, how) =>
      joined(await call('readCertificateInfo', { parameters: { sessionId } }, how)),
    sign: async ({ sessionId, ...file }, how) =>
      joined(await call('signDocument', { body: { sessionId, document: await fileOf(file) } }, how)),
    signBatch: async ({ sessionId, documents }, how) => {
      const files = await Promise.all(documents.map(fileOf))
      return joined((await call('signBatch', { body: { sessionId, files } }, how)) as Answered<BatchOutcome>)
    },
    document,
    waitForDocument: (signatureId, { signal, ...how } = {}) => {
      const signals = [options.signal, signal].filter((each) => each !== undefined)
      return waitForDocument((ending) => document(signatureId, { signal: ending }), signals, how)
    },
  }
}
