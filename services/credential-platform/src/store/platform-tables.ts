// Rows of what is signed at the document platform of an organization.
import type { PlatformDocumentStatus } from '../contract/signing.ts'

/** One row of `platform_connection`: where an organization's people sign. */
export interface PlatformConnectionRow {
  subscription_id: string
  enabled: number
  /** Without a trailing slash. */
  url: string
  sealed_key: string
  folder_id: string | null
  updated_at: string
}

/** One row of `platform_document`: a document on its way to the document platform and back. */
export interface PlatformDocumentRow {
  /** The tag of the document there: by it a sending whose end is not known is found again. */
  id: string
  xml_document_id: string
  subscription_id: string
  status: PlatformDocumentStatus
  /** How often its creation there was begun. */
  tries: number
  signer_document_id: string | null
  signer_document_url: string | null
  /** Why it does not get on, in a sentence. */
  error: string | null
  /** When the platform was asked last. */
  looked_at: string
  created_at: string
  updated_at: string
}

export interface PlatformTables {
  platform_connection: PlatformConnectionRow
  platform_document: PlatformDocumentRow
}
