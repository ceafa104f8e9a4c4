// Rows of XML documents that are being signed, or were.
import type { XmlDocumentKind, XmlDocumentStatus } from '../contract/signing.ts'
import type { EventKind } from '../contract/vocabulary.ts'

/** One row of `xml_document`: an XML of an item, on its way to its last signature. */
export interface XmlDocumentRow {
  id: string
  subscription_id: string
  /** Whose stored certificate signs for the institution. */
  institute_id: string
  owner_kind: EventKind
  owner_id: string
  document_kind: XmlDocumentKind
  /** The name under which the closed document is a file of its owner: `xml`, `public-xml` … */
  file_name: string
  status: XmlDocumentStatus
  /** Newest version; each signature makes another. */
  revision: number
  digest: string
  /** JSON: who signs, and at which levels. */
  plan: string
  /** Why it does not get on by itself, in a sentence. */
  error: string | null
  created_at: string
  updated_at: string
  closed_at: string | null
}

/** One row of `xml_document_version`: the bytes after each step; all stay. */
export interface XmlVersionRow {
  document_id: string
  /** 0: unsigned. */
  revision: number
  /** SHA-256, hex: the blob. */
  digest: string
  bytes: number
  /** Step of the plan; null for the unsigned one. */
  step: string | null
  /** CPF or CNPJ. */
  signer: string | null
  created_at: string
}

export interface SigningTables {
  xml_document: XmlDocumentRow
  xml_document_version: XmlVersionRow
}
