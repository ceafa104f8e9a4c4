import type { CertificateVerdict, Indication } from '../judgement/verdict.ts'
import type { Certificate } from '../x509/certificate.ts'
import type { Check, IntegrityReport } from './check.ts'
import type { ClaimsReport } from './claims.ts'
import type { MainIndication, PartIndication, SubIndication } from './indications.ts'

export type SignatureFormat = 'CAdES' | 'XAdES' | 'PAdES' | 'JAdES'

/** What a file is as a whole: the format of its signatures, or a container of files and signatures. */
export type DocumentFormat = SignatureFormat | 'ASiC-S' | 'ASiC-E'

/** The level a signature has reached: the ETSI baseline, the ICP-Brasil form, or a plain signature of the container. */
export type SignatureLevel = 'none' | 'B-B' | 'B-T' | 'B-LT' | 'B-LTA' | 'AD-RB' | 'AD-RT' | 'AD-RV' | 'AD-RC' | 'AD-RA'

export type Severity = 'error' | 'warning' | 'info'

/** One observation, as data: its code selects the text in each language. */
export interface Finding {
  readonly code: FindingCode
  readonly severity: Severity
  readonly details?: Readonly<Record<string, string | number | boolean>>
}

/** The signer, according to the certificate. */
export interface SignerReport {
  readonly name: string
  readonly cpf: string | null
  readonly cnpj: string | null
  readonly email: string | null
  /** Kind of certificate: e-CPF, e-CNPJ, seal, equipment, timestamp; null when it does not say. */
  readonly kind: string | null
  readonly organization: string | null
  readonly issuer: string
  readonly serialNumber: string
  readonly certificate: Certificate
}

/** The part of the document a signature covers. */
export interface CoverageReport {
  /** The whole current file. */
  readonly wholeDocument: boolean
  /** In terms of the format: a byte range, a revision, an element path, a detached content. */
  readonly description: string
  /** XML: where other signatures stand that its transforms leave out of the covered part; at most twenty of them. */
  readonly leftOut?: readonly string[]
  /** XML: every content that is signed, in the order of the signature, then those of its manifests. */
  readonly references?: readonly ReferenceReport[]
  /** PDF: the revision it covers, counted from 1, and how many the file has. */
  readonly revision?: { readonly number: number; readonly of: number }
  /** PDF: what came after the signature, and whether a signature permits it. */
  readonly laterChanges?: readonly LaterChange[]
}

/** One content of an XML signature. */
export interface ReferenceReport {
  /** As the signature names it; empty for the document it stands in. */
  readonly uri: string
  /** Of the element; null for what is not in the document, or not found. */
  readonly path: string | null
  /** Whether it has the digest that was signed. */
  readonly content: Check
  /** Listed by a manifest that the signature covers, not by the signature itself. */
  readonly inManifest: boolean
  /** What the signer says of it. */
  readonly mimeType: string | null
  readonly description: string | null
  readonly encoding: string | null
}

export interface LaterChange {
  readonly revision: number
  readonly kind: LaterChangeKind
  readonly permitted: boolean
  readonly description: string
}

export type LaterChangeKind =
  | 'signature'
  | 'document-timestamp'
  | 'validation-data'
  | 'form-fill'
  | 'annotation'
  | 'metadata'
  | 'content'
  | 'pages'
  | 'form-structure'
  | 'other'

export interface TimestampReport {
  readonly kind: 'signature' | 'content' | 'references' | 'archive' | 'document'
  readonly indication: Indication
  /** The same in the words of EN 319 102-1. */
  readonly mainIndication: PartIndication
  readonly subIndication: SubIndication | null
  /** Null when the token cannot be read. */
  readonly time: Date | null
  readonly authority: string
  readonly policy: string
  /** The imprint is that of the bytes it should protect. */
  readonly imprint: Check
  /** The authority made the token as it is. */
  readonly signature: Check
  /** The token names the authority's certificate. */
  readonly certificateBinding: Check
  readonly certificate: CertificateVerdict | null
  readonly findings: readonly Finding[]
  /** What the token holds; absent where it could not be read, and left out of JSON. */
  readonly values?: { readonly imprint: DigestValue; readonly serialNumber: string; readonly token: Uint8Array }
}

export interface PolicyReport {
  readonly oid: string
  /** Known policies have a name: `AD-RB 2.4 (CAdES)`. */
  readonly name: string | null
  readonly uri: string | null
  readonly hashMatches: boolean | null
  readonly status: 'current' | 'expired' | 'revoked' | 'unknown'
}

/** A digest as a signature holds it; an algorithm the engine does not know is named by its identifier. */
export interface DigestValue {
  readonly algorithm: string
  readonly value: Buffer
}

/** What a signature holds, as it was read: nothing is concluded from it, and it is left out of JSON. */
export interface SignedValues {
  /** Of the content; for XML, of the first one that is signed. Null for a signature directly over the content. */
  readonly contentDigest: DigestValue | null
  readonly signature: Buffer
  /** Of the policy, where one is named. */
  readonly policyDigest: DigestValue | null
}

export interface SignatureReport {
  readonly format: SignatureFormat
  readonly kind: 'signature' | 'counter-signature' | 'document-timestamp'
  /** Field name, element Id or position, to find it in the document. */
  readonly name: string
  readonly indication: Indication
  /** The same in the words of EN 319 102-1, with the reason that weighs most; null when it passed. */
  readonly mainIndication: MainIndication
  readonly subIndication: SubIndication | null
  readonly signer: SignerReport | null
  /** What the signer claims. */
  readonly claimedTime: Date | null
  /** The earliest time the signature is proven to have existed, and by what. */
  readonly provenTime: { readonly time: Date; readonly by: 'timestamp' | 'now' }
  readonly level: SignatureLevel
  readonly policy: PolicyReport | null
  readonly algorithm: string
  readonly integrity: IntegrityReport
  readonly coverage: CoverageReport
  readonly certificate: CertificateVerdict | null
  readonly timestamps: readonly TimestampReport[]
  readonly counterSignatures: readonly SignatureReport[]
  /** What the signer states of role, commitment, place and kind of content; absent where nothing is. */
  readonly claims?: ClaimsReport
  readonly findings: readonly Finding[]
  /** Absent where it could not be read. */
  readonly values?: SignedValues
}

/** The report on one document. */
export interface ValidationReport {
  readonly format: DocumentFormat
  /** The worst of its signatures; `indeterminate` when there is none. */
  readonly indication: Indication
  readonly judgedAt: Date
  readonly signatures: readonly SignatureReport[]
  /** What concerns the document as a whole. */
  readonly findings: readonly Finding[]
  /** Name of the validation policy, where one was given; else the engine's own rules. */
  readonly validationPolicy?: string
}

/** Every code a finding may have, with its usual severity. Texts in pt-BR and en-US are in `texts.ts`. */
export const findingSeverities = {
  // Any format
  'no-signature': 'error',
  'content-changed': 'error',
  'signature-wrong': 'error',
  'content-missing': 'error',
  'structure-malformed': 'error',
  'document-unreadable': 'error',
  'algorithm-weak': 'error',
  'algorithm-unknown': 'error',
  'key-too-short': 'error',
  'signing-certificate-missing': 'error',
  'signing-certificate-mismatch': 'error',
  'signing-certificate-unprotected': 'warning',
  'signing-time-missing': 'warning',
  'signing-time-implausible': 'warning',
  'claim-unreadable': 'warning',
  'policy-unknown': 'warning',
  'policy-hash-mismatch': 'error',
  'policy-not-in-force': 'error',
  'policy-list-stale': 'warning',
  'policy-requirement-unmet': 'error',
  'validation-policy-unmet': 'error',
  'certificate-not-trusted': 'error',
  'certificate-indeterminate': 'warning',
  'timestamp-invalid': 'error',
  'timestamp-imprint-mismatch': 'error',
  'timestamp-authority-untrusted': 'warning',
  'timestamp-unchecked': 'warning',
  'duplicate-attribute': 'error',
  'not-der': 'warning',
  'trailing-bytes': 'warning',
  // PDF (signature-engine facts 2.3)
  'pdf.byte-range-malformed': 'error',
  'pdf.byte-range-gap': 'error',
  'pdf.universal-forgery': 'error',
  'pdf.incremental-saving': 'error',
  'pdf.signature-wrapping': 'error',
  'pdf.shadow-hide': 'error',
  'pdf.shadow-replace': 'error',
  'pdf.shadow-hide-and-replace': 'error',
  'pdf.evil-annotation': 'error',
  'pdf.pages-changed': 'error',
  'pdf.signature-shared': 'error',
  'pdf.signature-lost': 'error',
  'pdf.signer-name-spoofed': 'warning',
  'pdf.circular-reference': 'error',
  'pdf.not-permitted-change': 'error',
  'pdf.permitted-change': 'info',
  'pdf.sub-filter-unknown': 'warning',
  'pdf.sub-filter-icp-brasil': 'info',
  'pdf.reason-with-policy': 'warning',
  'pdf.parser-bomb': 'error',
  'pdf.signature-entry': 'warning',
  'pdf.contents-padding': 'warning',
  // ASiC
  'asic.mimetype': 'warning',
  'asic.data-files': 'error',
  'asic.file-uncovered': 'warning',
  'asic.signature-lost': 'error',
  // JSON
  'jades.algorithm-forbidden': 'error',
  'jades.critical-unknown': 'error',
  'jades.mechanism-unknown': 'error',
  'jades.counter-signature': 'warning',
  // XML
  'xml.duplicate-id': 'error',
  'xml.reference-unresolved': 'error',
  'xml.reference-external': 'error',
  'xml.transform-refused': 'error',
  'xml.manifest-unread': 'error',
  'xml.signature-wrapping': 'error',
  'xml.partial-coverage': 'info',
  'xml.signed-properties-unprotected': 'error',
} as const satisfies Record<string, Severity>

export type FindingCode = keyof typeof findingSeverities

/** A finding of its usual severity. */
export const finding = (code: FindingCode, details?: Finding['details']): Finding => ({
  code,
  severity: findingSeverities[code],
  ...(details && { details }),
})
