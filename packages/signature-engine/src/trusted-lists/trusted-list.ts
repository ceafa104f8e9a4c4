import type { Certificate } from '../x509/certificate.ts'

/** A trusted list of ETSI TS 119 612: who supervises, which services, since when with which status. */
export interface TrustedList {
  /** TSLVersionIdentifier: 5 or 6. */
  readonly version: number
  /** Counted up with every issue. */
  readonly sequence: number
  /** TSLType: a list of services, or a list of lists, as a URI. */
  readonly type: string
  /** Who operates the scheme, in English where it is told so. */
  readonly operator: string
  /** ISO 3166 code of the country, or `EU`. */
  readonly territory: string
  readonly issuedAt: Date
  /** Null: a closed list, which has no next issue. */
  readonly nextUpdate: Date | null
  readonly pointers: readonly TrustedListPointer[]
  readonly services: readonly TrustService[]
}

/** Another list that this one points to, and who signs it. */
export interface TrustedListPointer {
  readonly location: string
  readonly territory: string | null
  /** TSLType of the other list. */
  readonly type: string | null
  readonly mimeType: string | null
  readonly signers: readonly Certificate[]
}

export interface TrustService {
  readonly provider: string
  readonly name: string
  /** The certificates that are the service, now or before. */
  readonly certificates: readonly Certificate[]
  /** What it was, the newest first. */
  readonly statuses: readonly ServiceStatus[]
}

export interface ServiceStatus {
  /** ServiceTypeIdentifier, as a URI. */
  readonly type: string
  /** ServiceStatus, as a URI. */
  readonly status: string
  /** What certificates of the service are for (additionalServiceInformation), as URIs; none: not told. */
  readonly usages: readonly string[]
  readonly from: Date
  /** When the next status began; null: it holds. */
  readonly until: Date | null
}
