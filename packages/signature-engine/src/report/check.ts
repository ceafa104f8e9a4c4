import type { SignatureAlgorithm } from '../crypto/algorithms.ts'
import { isSignedBy } from '../crypto/verify-signature.ts'
import { requireArguments } from '../errors/arguments.ts'
import type { Certificate } from '../x509/certificate.ts'
import type { Finding, FindingCode } from './report.ts'

/** Why something was not looked at. */
export type UncheckedReason =
  | 'content-missing'
  | 'content-ambiguous'
  | 'algorithm-unknown'
  | 'transform-refused'
  | 'certificate-missing'
  | 'certificate-unnamed'
  | 'digest-absent'
  | 'structure-malformed'

/** The outcome of one check: what was never looked at has not failed. */
export type Check =
  | { readonly state: 'passed' }
  | { readonly state: 'failed' }
  | { readonly state: 'not-checked'; readonly reason: UncheckedReason }

export const passed: Check = { state: 'passed' }
export const failed: Check = { state: 'failed' }
export const notChecked = (reason: UncheckedReason): Check => ({ state: 'not-checked', reason })

export function isPassed(check: Check): boolean {
  requireArguments('isPassed', { check: [check, 'check'] })
  return check.state === 'passed'
}

/** What a signature is, apart from trust. */
export interface IntegrityReport {
  /** The content has the digest that was signed. */
  readonly content: Check
  /** The signature value was made by the certificate's key. */
  readonly signature: Check
  /** The signed attributes name this very certificate. */
  readonly certificateBinding: Check
}

/** Content and signature value were looked at, and both are what they should be. */
export function isIntact(integrity: Pick<IntegrityReport, 'content' | 'signature'>): boolean {
  requireArguments('isIntact', { integrity: [integrity, 'object'] })
  return isPassed(integrity.content) && isPassed(integrity.signature)
}

const badness: Readonly<Record<Check['state'], number>> = { passed: 0, 'not-checked': 1, failed: 2 }

/** The worst of several, the first of equals; passed when there is none. */
export const worstCheck = (checks: readonly Check[]): Check =>
  checks.reduce((worst, one) => (badness[one.state] > badness[worst.state] ? one : worst), passed)

/** Nothing was looked at, for one reason. */
export const allUnchecked = (reason: UncheckedReason): IntegrityReport => ({
  content: notChecked(reason),
  signature: notChecked(reason),
  certificateBinding: notChecked(reason),
})

/**
 * Whether a digest is that of the bytes it was made of; `actual` is undefined where those are not there. The one rule
 * of CMS, PDF, XML and timestamps alike.
 */
export function digestCheck(
  algorithm: string | undefined,
  expected: Uint8Array,
  actual: () => Uint8Array | undefined,
): Check {
  if (algorithm === undefined) return notChecked('algorithm-unknown')
  const found = actual()
  if (!found) return notChecked('content-missing')
  return Buffer.compare(found, expected) === 0 ? passed : failed
}

export interface SignatureValue {
  readonly certificate: Certificate | undefined
  readonly algorithm: SignatureAlgorithm | undefined
  readonly value: Uint8Array
  /** The signed bytes; undefined when they are not there. */
  readonly signed: () => Uint8Array | undefined
}

/** Whether the certificate's key made a signature value: the same rule for every format. */
export function signatureCheck({ certificate, algorithm, value, signed }: SignatureValue): Check {
  if (!certificate) return notChecked('certificate-missing')
  if (!algorithm || !certificate.hasKnownKey) return notChecked('algorithm-unknown')
  const bytes = signed()
  if (!bytes) return notChecked('content-missing')
  return isSignedBy(certificate.publicKey, algorithm, bytes, value) ? passed : failed
}

/** What the findings of a content say of it: the worst that any of them means. */
export const contentCheck = (findings: readonly Finding[]): Check =>
  worstCheck(findings.map(({ code }) => ofContent[code] ?? passed))

const ofContent: Readonly<Partial<Record<FindingCode, Check>>> = {
  'content-changed': failed,
  'content-missing': notChecked('content-missing'),
  'algorithm-unknown': notChecked('algorithm-unknown'),
  'structure-malformed': notChecked('structure-malformed'),
  'xml.reference-unresolved': notChecked('content-missing'),
  'xml.reference-external': notChecked('content-missing'),
  'xml.transform-refused': notChecked('transform-refused'),
  'xml.manifest-unread': notChecked('transform-refused'),
  'xml.duplicate-id': notChecked('content-ambiguous'),
  'xml.signature-wrapping': notChecked('content-ambiguous'),
  'xml.signed-properties-unprotected': notChecked('structure-malformed'),
}
