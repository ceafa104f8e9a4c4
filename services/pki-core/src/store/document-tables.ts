import type { SignatureType } from '../contract/documents.ts'
import type { PreparedSignatureState } from '../rules/signature-states.ts'
import type { UploadState } from '../rules/upload-states.ts'

/** One row of `upload`: bytes that a client brought for later use. */
export interface UploadRow {
  /** SHA-256 of the token, base64url. */
  id: string
  subscription_id: string
  state: UploadState
  /** Null until it is complete, as the next two. */
  digest: string | null
  size: number | null
  name: string | null
  content_type: string | null
  created_at: string
  expires_at: string
}

/** One row of `upload_part`: a part of an upload that is not complete yet. */
export interface UploadPartRow {
  upload_id: string
  /** From 0. */
  position: number
  digest: string
  size: number
  /** Hexadecimal; its ETag. */
  md5: string
}

/** One row of `document`: what was signed, and what came of it. */
export interface DocumentRow {
  id: string
  subscription_id: string
  /** The application that made it. */
  application_id: string
  key: string
  signature_type: SignatureType
  original_digest: string
  original_size: number
  original_name: string
  original_type: string
  signed_digest: string
  signed_size: number
  signed_name: string
  signed_type: string
  /** JSON. */
  metadata: string
  /** Null: until it is deleted. */
  available_until: string | null
  created_at: string
}

/** One row of `document_signer`: somebody whose signature this service made. */
export interface DocumentSignerRow {
  document_id: string
  /** From 0. */
  position: number
  /** DER, base64. */
  certificate: string
  signed_at: string
}

/** One row of `document_key`: stays when its document is deleted, so that it is never given to another. */
export interface DocumentKeyRow {
  key: string
  subscription_id: string
  application_id: string
  /** JSON; null once it is used. */
  provisional_metadata: string | null
  document_id: string | null
  created_at: string
  used_at: string | null
}

/** One row of `document_key_metadata`: a value that an unused key is found by. */
interface DocumentKeyMetadataRow {
  key: string
  /** As names are compared. */
  name: string
  value: string
}

/** One row of `prepared_signature`: kept until it expires, so that a second completion is told from an unknown one. */
export interface PreparedSignatureRow {
  /** SHA-256 of the token, base64url. */
  id: string
  subscription_id: string
  state: PreparedSignatureState
  /** JSON: a SignaturePlan. */
  plan: string
  /** DER, base64. */
  certificate: string
  /** JSON list of the same: the issuers that go into the signature. */
  issuers: string
  context_id: string
  ignores_unknown: number
  /** The key that was allocated for the document. */
  document_key: string | null
  file_digest: string
  file_size: number
  file_name: string
  file_type: string
  /** The picture or the data that the plan names. */
  extra_digest: string | null
  created_at: string
  expires_at: string
}

/** One row of `blob_sweep`: when unreferenced bytes were last looked for. */
interface BlobSweepRow {
  id: number
  swept_at: string
}

export interface DocumentTables {
  upload: UploadRow
  upload_part: UploadPartRow
  blob_sweep: BlobSweepRow
  prepared_signature: PreparedSignatureRow
  document: DocumentRow
  document_signer: DocumentSignerRow
  document_key: DocumentKeyRow
  document_key_metadata: DocumentKeyMetadataRow
}
