// Rows of signatures by keys elsewhere.
import type { DocumentOutcome, SigningOutcome, SigningWay } from '../contract/remote-signing.ts'

/** One row of `remote_signing`: one request to a key elsewhere, for one or many documents. */
export interface RemoteSigningRow {
  id: string
  subscription_id: string
  user_id: string
  way: SigningWay
  /** SHA-256 of the nonce that is in the browser's cookie, or the id of the approval at the session server. */
  reference: string
  created_at: string
  expires_at: string
  /** When a return or a look began to sign: of several one does. */
  taken_at: string | null
  outcome: SigningOutcome | null
  /** JSON: certificate and issuers, DER, base64; null before the key has signed. */
  path: string | null
}

/** One row of `remote_signature`: what becomes of one of its documents. */
export interface RemoteSignatureRow {
  signing_id: string
  document_id: string
  position: number
  title: string
  /** JSON: what the signature was laid out from; null before. */
  layout: string | null
  /** Base64; kept before anything is done with it. */
  signature: string | null
  outcome: DocumentOutcome | null
  reason: string | null
}

/** What a signature was laid out from, besides certificate and document. */
export interface KeptLayout {
  readonly uuid: string
  readonly step: string
  readonly at: string
  readonly revision: number
}

export interface RemoteSigningTables {
  remote_signing: RemoteSigningRow
  remote_signature: RemoteSignatureRow
}
