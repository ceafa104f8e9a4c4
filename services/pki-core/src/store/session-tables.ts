import type { SignatureType } from '../contract/documents.ts'
import type { CloudOutcome, TokenOutcome } from '../contract/session-signing.ts'
import type { SessionDocumentStatus, SessionStatus } from '../rules/session-states.ts'

/** One row of `signature_session`. */
export interface SessionRow {
  id: string
  subscription_id: string
  /** The application that began it, and alone reads it. */
  application_id: string
  /** Its name, as it is shown to the person. */
  application: string
  /** SHA-256 of the token, base64url. */
  token_id: string
  status: SessionStatus
  context_id: string
  return_url: string | null
  sealed_callback: string | null
  is_background: number
  /** 0: the page has no signed documents to download. */
  gives_out: number
  takes_uploads: number
  /** JSON: metadata of documents that the person uploads. */
  metadata: string
  /** JSON list. */
  requirements: string
  /** JSON: the options of documents that have none of their own. */
  options: string
  /** JSON: the picture that the options name. */
  extra: string | null
  extra_digest: string | null
  /** Changes with the documents and with what is prepared: signatures name the one they are for. */
  revision: string
  /** DER, base64; null until the signatures of all documents are prepared. */
  certificate: string | null
  /** JSON list of the same: the issuers that go into the signatures. */
  issuers: string | null
  error_code: string | null
  created_at: string
  expires_at: string
  ended_at: string | null
}

/** One row of `signature_session_document`. */
export interface SessionDocumentRow {
  /** That of the document, too, once there is one. */
  id: string
  session_id: string
  position: number
  status: SessionDocumentStatus
  is_uploaded: number
  /** Null once the document has it: it goes when that is deleted. */
  file_digest: string | null
  file_size: number
  file_name: string
  file_type: string
  /** Of the file, hexadecimal, for the person to compare. */
  sha256: string
  /** The address that the file was read from, where it was. */
  url: string | null
  signature_type: SignatureType
  /** JSON. */
  options: string
  /** JSON: the picture or the data that the options name. */
  extra: string | null
  extra_digest: string | null
  /** JSON. */
  metadata: string
  /** The key that was allocated for the document. */
  document_key: string | null
  /** JSON: a SignaturePlan; null until it is prepared, as the next one. */
  plan: string | null
  /** Base64. */
  to_sign: string | null
  /** Base64; kept while it is processed in the background. */
  signature: string | null
  signed_at: string | null
  error_code: string | null
}

/** One row of `signature_session_signing`: a person whose key elsewhere was asked for. It opens nothing. */
export interface SessionSigningRow {
  id: string
  session_id: string
  kind: 'token' | 'cloud'
  /** Of a token: the approval at the session server. Of the cloud: SHA-256, hex, of the nonce that the hub's session and
   * the person's browser hold. */
  reference: string
  /** JSON list: ids of the documents that the person was shown; what an id stands for never changes. */
  documents: string
  expires_at: string
  /** When the approval was used, or the return arrived: one call signs. */
  taken_at: string | null
  outcome: TokenOutcome | CloudOutcome | null
}

export interface SessionTables {
  signature_session: SessionRow
  signature_session_document: SessionDocumentRow
  signature_session_signing: SessionSigningRow
}
