/** One row of `known_certificate`: somebody authenticated or signed with it for the subscription. */
export interface KnownCertificateRow {
  subscription_id: string
  /** SHA-256 of the certificate, lower-case hexadecimal. */
  thumbprint: string
  /** DER, base64. */
  certificate: string
  /** JSON list of the same: its issuers, nearest first, as far as they were known. */
  issuers: string
  first_at: string
  /** To the day: using it again within one writes nothing. */
  last_at: string
}

export interface CertificateTables {
  known_certificate: KnownCertificateRow
}
