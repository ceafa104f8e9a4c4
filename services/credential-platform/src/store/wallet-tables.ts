// Rows of credentials for wallets: who signs them, where their status is, and links by which holders fetch them.

/** One row of `wallet_issuer`: the address that an institution's identifier is made from, which never changes. */
interface WalletIssuerRow {
  institute_id: string
  /** Without a trailing slash. */
  address: string
  created_at: string
}

/** One row of `wallet_key`. A retired key signs nothing more, and what it signed holds; of a revoked one nothing does. */
export interface WalletKeyRow {
  /** Thumbprint of the key (RFC 7638). */
  id: string
  institute_id: string
  /** SPKI, base64. */
  public_key: string
  /** PKCS #8 in base64, sealed. */
  sealed_key: string
  created_at: string
  retired_at: string | null
  revoked_at: string | null
}

/** One row of `wallet_entry`: the place of a document in the status lists of its institution. */
export interface WalletEntryRow {
  item_id: string
  institute_id: string
  /** From 1. */
  list: number
  position: number
  /** Of the hashed CPF. */
  salt: string
  created_at: string
}

/** One row of `wallet_offer`: a link by which the holder fetches the credential once. */
export interface WalletOfferRow {
  id: string
  subscription_id: string
  item_kind: WalletKind
  item_id: string
  /** SHA-256: whoever reads the table learns no link. */
  ticket_hash: string
  created_at: string
  expires_at: string
  used_at: string | null
}

/** What wallets hold. */
export type WalletKind = 'Degree' | 'AcademicTranscript'

export interface WalletTables {
  wallet_issuer: WalletIssuerRow
  wallet_key: WalletKeyRow
  wallet_entry: WalletEntryRow
  wallet_offer: WalletOfferRow
}
