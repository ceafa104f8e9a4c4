import {
  type CertificateReason,
  type CertificateReasonCode,
  type CertificateVerdict,
  type Indication,
  worstOf,
} from '../judgement/verdict.ts'
import { findingSubIndications } from './finding-indications.ts'
import type { Finding, FindingCode, SignatureReport, TimestampReport } from './report.ts'

/** The answers of EN 319 102-1 §5.1.3 for a signature. */
export type MainIndication = 'TOTAL-PASSED' | 'INDETERMINATE' | 'TOTAL-FAILED'

/** The same for what is only a part of one, such as a timestamp. */
export type PartIndication = 'PASSED' | 'INDETERMINATE' | 'FAILED'

/**
 * The reasons that EN 319 102-1 §5.1.3 names (tables 5 and 6), each with the answer it belongs to. Of several the one that
 * stands first here is told.
 */
export const subIndications = {
  HASH_FAILURE: 'invalid',
  SIG_CRYPTO_FAILURE: 'invalid',
  FORMAT_FAILURE: 'invalid',
  REVOKED: 'invalid',
  EXPIRED: 'invalid',
  NOT_YET_VALID: 'invalid',
  SIGNED_DATA_NOT_FOUND: 'indeterminate',
  NO_SIGNING_CERTIFICATE_FOUND: 'indeterminate',
  CRYPTO_CONSTRAINTS_FAILURE: 'indeterminate',
  NO_CERTIFICATE_CHAIN_FOUND: 'indeterminate',
  CERTIFICATE_CHAIN_GENERAL_FAILURE: 'indeterminate',
  CHAIN_CONSTRAINTS_FAILURE: 'indeterminate',
  REVOKED_NO_POE: 'indeterminate',
  REVOKED_CA_NO_POE: 'indeterminate',
  OUT_OF_BOUNDS_NOT_REVOKED: 'indeterminate',
  OUT_OF_BOUNDS_NO_POE: 'indeterminate',
  CRYPTO_CONSTRAINTS_FAILURE_NO_POE: 'indeterminate',
  POLICY_PROCESSING_ERROR: 'indeterminate',
  SIG_CONSTRAINTS_FAILURE: 'indeterminate',
  TIMESTAMP_ORDER_FAILURE: 'indeterminate',
  TRY_LATER: 'indeterminate',
} as const satisfies Record<string, Exclude<Indication, 'valid'>>

export type SubIndication = keyof typeof subIndications

const mainIndications: Readonly<Record<Indication, MainIndication>> = {
  valid: 'TOTAL-PASSED',
  indeterminate: 'INDETERMINATE',
  invalid: 'TOTAL-FAILED',
}

const partIndications: Readonly<Record<Indication, PartIndication>> = {
  valid: 'PASSED',
  indeterminate: 'INDETERMINATE',
  invalid: 'FAILED',
}

/** What each reason against a certificate means for a signature made with it. */
const ofReasons: Readonly<Record<CertificateReasonCode, SubIndication>> = {
  'chain.no-path': 'NO_CERTIFICATE_CHAIN_FOUND',
  'chain.untrusted-root': 'NO_CERTIFICATE_CHAIN_FOUND',
  'chain.untrusted-then': 'NO_CERTIFICATE_CHAIN_FOUND',
  'chain.wrong-signature': 'CERTIFICATE_CHAIN_GENERAL_FAILURE',
  'chain.not-an-authority': 'CHAIN_CONSTRAINTS_FAILURE',
  'chain.path-too-long': 'CHAIN_CONSTRAINTS_FAILURE',
  'chain.name-not-permitted': 'CHAIN_CONSTRAINTS_FAILURE',
  'chain.unknown-critical-extension': 'CHAIN_CONSTRAINTS_FAILURE',
  'validity.expired': 'OUT_OF_BOUNDS_NO_POE',
  'validity.not-yet-valid': 'NOT_YET_VALID',
  'revocation.revoked': 'REVOKED_NO_POE',
  'revocation.on-hold': 'TRY_LATER',
  'revocation.unknown': 'TRY_LATER',
  'revocation.stale': 'TRY_LATER',
  'policy.unacceptable': 'CHAIN_CONSTRAINTS_FAILURE',
  'keyUsage.unfit': 'CHAIN_CONSTRAINTS_FAILURE',
  'algorithm.weak': 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
  'algorithm.unknown': 'CRYPTO_CONSTRAINTS_FAILURE',
}

/** What decides about a signature or a timestamp. */
export interface Decisive {
  readonly findings: readonly Finding[]
  /** On its certificate; null without one. */
  readonly verdict: CertificateVerdict | null
  /** It cannot be older: the time of a valid timestamp that it covers. */
  readonly madeAfter?: Date | undefined
}

type SignatureStatus = Pick<SignatureReport, 'indication' | 'mainIndication' | 'subIndication'>

/** The status of a signature: the worst that its findings and its certificate mean. */
export function signatureStatus(decisive: Decisive): SignatureStatus {
  const { indication, subIndication } = statusBy(decisive, findingSubIndications)
  return { indication, mainIndication: mainIndications[indication], subIndication }
}

/** The status of a timestamp that stands for a signature, as in a PDF. */
export function documentTimestampStatus(decisive: Decisive): SignatureStatus {
  const { indication, subIndication } = statusBy(decisive, ofTimestamps)
  return { indication, mainIndication: mainIndications[indication], subIndication }
}

/** The status of a timestamp. What makes it unusable costs a signature only its proof of time, but decides here. */
export function timestampStatus(
  decisive: Decisive,
): Pick<TimestampReport, 'indication' | 'mainIndication' | 'subIndication'> {
  const { indication, subIndication } = statusBy(decisive, ofTimestamps)
  return { indication, mainIndication: partIndications[indication], subIndication }
}

/** Of a signature whose bytes cannot be read as one. */
export const UNREADABLE: SignatureStatus = {
  indication: 'invalid',
  mainIndication: 'TOTAL-FAILED',
  subIndication: 'FORMAT_FAILURE',
}

const ofTimestamps: typeof findingSubIndications = { ...findingSubIndications, 'timestamp-invalid': 'FORMAT_FAILURE' }

/** What findings alone say: valid where none is an error. */
export const findingsIndication = (findings: readonly Finding[]): Indication =>
  weighed(ofFindings(findings, findingSubIndications)).indication

/** The status of a signature of which more was found. */
export function statusWith({ subIndication: known }: SignatureStatus, findings: readonly Finding[]): SignatureStatus {
  const more = ofFindings(findings, findingSubIndications)
  const { indication, subIndication } = weighed(known ? [known, ...more] : more)
  return { indication, mainIndication: mainIndications[indication], subIndication }
}

const statusBy = ({ findings, verdict, madeAfter }: Decisive, table: typeof findingSubIndications) =>
  weighed([...ofFindings(findings, table), ...ofVerdict(verdict, madeAfter)])

const ofFindings = (findings: readonly Finding[], table: typeof findingSubIndications): SubIndication[] =>
  findings.flatMap(({ severity, code }) => (severity === 'error' ? (table[code] ?? []) : []))

function weighed(found: readonly SubIndication[]) {
  const subIndication = inOrder.find((one) => found.includes(one)) ?? null
  const indication: Indication = subIndication ? subIndications[subIndication] : 'valid'
  return { indication, subIndication }
}

const inOrder = Object.keys(subIndications) as SubIndication[]

function ofVerdict(verdict: CertificateVerdict | null, madeAfter: Date | undefined): SubIndication[] {
  if (!verdict) return ['NO_SIGNING_CERTIFICATE_FOUND']
  const found = verdict.reasons.map((reason) => ofReason(reason, verdict, madeAfter))
  return found.length > 0 || verdict.indication === 'valid' ? found : ['CERTIFICATE_CHAIN_GENERAL_FAILURE']
}

/** EN 319 102-1 §5.3.4: who is at fault, what is known of it besides, and when the signature must have been made. */
function ofReason({ code, certificate }: CertificateReason, verdict: CertificateVerdict, madeAfter: Date | undefined) {
  const isHolder = certificate === verdict.path[0]
  const status = verdict.revocation.find((one) => one.certificate === certificate)
  if (code === 'revocation.revoked' && !isHolder) return 'REVOKED_CA_NO_POE'
  if (code === 'revocation.revoked' && madeAfter && status?.revokedAt && status.revokedAt < madeAfter) return 'REVOKED'
  if (code === 'validity.expired' && isHolder && madeAfter && certificate.notAfter < madeAfter) return 'EXPIRED'
  if (code === 'validity.expired' && isHolder && status?.state === 'good') return 'OUT_OF_BOUNDS_NOT_REVOKED'
  return ofReasons[code]
}

/** Whether an error leaves the result open instead of deciding it. */
export function leavesOpen(code: FindingCode): boolean {
  const sub = findingSubIndications[code]
  return sub !== null && subIndications[sub] === 'indeterminate'
}

/** The indication of a document: that of its worst signature; indeterminate without one. */
export const documentIndication = (signatures: readonly SignatureReport[]): Indication =>
  signatures.length === 0 ? 'indeterminate' : worstOf(signatures.map(({ indication }) => indication))
