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

/** One row of `blob_sweep`: when unreferenced bytes were last looked for. */
interface BlobSweepRow {
  id: number
  swept_at: string
}

export interface DocumentTables {
  upload: UploadRow
  upload_part: UploadPartRow
  blob_sweep: BlobSweepRow
}
