// The client of the signing session server.
//
//   const client = createSessionClient({ baseUrl: 'https://sessions.example.com', apiKey })
//   const { sessionId } = await client.openSession({ cpf: '52998224725', pin })
//   const { signatureId } = await client.sign({ sessionId, document: pdf, fileName: 'contract.pdf' })
//   const { bytes } = await client.waitForDocument(signatureId)
export type { DocumentContent, NamedDocument } from '../core/document-content.ts'
export { ChancelaConnectionError, ChancelaError } from '../core/errors.ts'
export type { CallOptions, ClientOptions, Fetch, RetryOptions } from '../core/options.ts'
export type { WithCorrelation } from '../core/with-correlation.ts'
export type {
  BatchResult,
  CertificateInfo,
  CreateSessionRequest,
  EndedSession,
  ErrorCode,
  Operations,
  Session,
  SessionStatus,
  SignatureAcceptance,
} from './generated.ts'
export { isSessionError } from './is-session-error.ts'
export {
  type BatchItem,
  type BatchOutcome,
  createSessionClient,
  type SessionClient,
  type SignBatchRequest,
  type SignedDocument,
  type SignRequest,
} from './session-client.ts'
export type { WaitOptions } from './wait-for-document.ts'
