import type { Supplements as RevocationSupplements } from '../revocation/revocation-answer.ts'
import type { Certificate } from '../x509/certificate.ts'

/** The three indications of EN 319 102-1: yes, no, and "the available data does not tell". */
export type Indication = 'valid' | 'invalid' | 'indeterminate'

/** Why a certificate is not simply valid; each with its check and its effect on the verdict. */
export const certificateReasons = {
  'chain.no-path': { check: 'chain', indication: 'indeterminate' },
  'chain.untrusted-root': { check: 'chain', indication: 'indeterminate' },
  'chain.untrusted-then': { check: 'chain', indication: 'indeterminate' },
  'chain.wrong-signature': { check: 'chain', indication: 'invalid' },
  'chain.not-an-authority': { check: 'chain', indication: 'invalid' },
  'chain.path-too-long': { check: 'chain', indication: 'invalid' },
  'chain.name-not-permitted': { check: 'chain', indication: 'invalid' },
  'chain.unknown-critical-extension': { check: 'chain', indication: 'invalid' },
  'validity.expired': { check: 'validity', indication: 'indeterminate' },
  'validity.not-yet-valid': { check: 'validity', indication: 'invalid' },
  'revocation.revoked': { check: 'revocation', indication: 'invalid' },
  'revocation.on-hold': { check: 'revocation', indication: 'indeterminate' },
  'revocation.unknown': { check: 'revocation', indication: 'indeterminate' },
  'revocation.stale': { check: 'revocation', indication: 'indeterminate' },
  'policy.unacceptable': { check: 'policy', indication: 'invalid' },
  'keyUsage.unfit': { check: 'keyUsage', indication: 'invalid' },
  'algorithm.weak': { check: 'algorithm', indication: 'invalid' },
  'algorithm.unknown': { check: 'algorithm', indication: 'indeterminate' },
} as const satisfies Record<string, { check: CertificateCheck; indication: Indication }>

export type CertificateCheck = 'chain' | 'validity' | 'revocation' | 'policy' | 'keyUsage' | 'algorithm'

export type CertificateReasonCode = keyof typeof certificateReasons

export interface CertificateReason {
  readonly code: CertificateReasonCode
  /** The certificate at fault: the holder's or one of its issuers'. */
  readonly certificate: Certificate
  /** Details for a reader: a time, an address, an algorithm. */
  readonly details?: Readonly<Record<string, string | number>>
}

export type RevocationState = 'good' | 'revoked' | 'on-hold' | 'unknown' | 'not-needed'

/** What is known about one certificate's revocation, and from where. */
export interface RevocationStatus {
  readonly certificate: Certificate
  readonly state: RevocationState
  readonly source: 'crl' | 'ocsp' | null
  /** Address the evidence came from; null when it was inside the signature. */
  readonly url: string | null
  readonly producedAt: Date | null
  readonly nextUpdate: Date | null
  readonly revokedAt: Date | null
  readonly reason: string | null
  /** The evidence itself, in its original bytes: a CRL, or an OCSP response. */
  readonly evidence: Uint8Array | null
  /** What the evidence needs besides: lists of other reasons, delta CRLs, what proves their signers. Absent: nothing. */
  readonly supplements?: RevocationSupplements
  /** Why nothing is known, in one English sentence. */
  readonly problem: string | null
}

/** The complete verdict on one certificate at one time. */
export interface CertificateVerdict {
  readonly indication: Indication
  readonly reasons: readonly CertificateReason[]
  /** The time the certificate was validated for. */
  readonly at: Date
  /** From the certificate up to the anchor when one was reached. */
  readonly path: readonly Certificate[]
  readonly anchor: Certificate | null
  /**
   * The certificate policies for which the path is valid (RFC 5280 §6.1.6), of the `initialPolicies`; anyPolicy
   * (2.5.29.32.0) where nothing limits them. None without an anchor.
   */
  readonly policies: readonly string[]
  /** One entry per certificate of the path but the anchor. */
  readonly revocation: readonly RevocationStatus[]
}

const badness: Readonly<Record<Indication, number>> = { valid: 0, indeterminate: 1, invalid: 2 }

/** The worst indication of all reasons; valid without reasons. */
export const indicationOf = (reasons: readonly CertificateReason[]): Indication =>
  worstOf(reasons.map(({ code }) => certificateReasons[code].indication))

/** The worst of several; valid when there is none. */
export const worstOf = (indications: readonly Indication[]): Indication =>
  indications.reduce((worst, one) => (badness[one] > badness[worst] ? one : worst), 'valid')
