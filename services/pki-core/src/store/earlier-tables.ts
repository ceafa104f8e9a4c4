import type { SignatureType } from '../contract/documents.ts'
import type { EarlierSignatureState } from '../rules/earlier-signature-states.ts'

/** One row of `earlier_signature`: kept until it expires, so that a token is good once. */
export interface EarlierSignatureRow {
  /** SHA-256 of the token, base64url. */
  id: string
  subscription_id: string
  signature_type: SignatureType
  state: EarlierSignatureState
  /** JSON: a SignaturePlan without what the certificate decides. */
  draft: string
  /** The language of the line with the time, which is written when the certificate is known; null for none. */
  time_culture: string | null
  context_id: string
  ignores_unknown: number
  /** In clear; only rows of versions that did not seal it have it. */
  callback_argument: string | null
  sealed_callback: string | null
  /** JSON: a SignaturePlan; null until the certificate is chosen, as the next three. */
  plan: string | null
  /** DER, base64. */
  certificate: string | null
  /** JSON list of the same: the issuers that go into the signature. */
  issuers: string | null
  /** SHA-256 of what the key signs, base64. */
  to_sign_hash: string | null
  /** Whether whoever began it chose the certificate: then nobody chooses another. */
  certificate_fixed: number
  /** Base64; what came through the browser. */
  signature: string | null
  /** Null where only a hash of the data is known. */
  file_digest: string | null
  /** The picture or the data that the plan names. */
  extra_digest: string | null
  created_at: string
  expires_at: string
}

export interface EarlierTables {
  earlier_signature: EarlierSignatureRow
}
