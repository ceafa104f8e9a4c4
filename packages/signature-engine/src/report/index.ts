// Reports of validations: data for programs, text for people.

export { type Check, type IntegrityReport, isIntact, isPassed, type UncheckedReason } from './check.ts'
export type { ClaimsReport, PlaceReport } from './claims.ts'
export {
  leavesOpen,
  type MainIndication,
  type PartIndication,
  type SubIndication,
  subIndications,
} from './indications.ts'
export { certificateToJson, type Json, reportToJson } from './json.ts'
export {
  type CoverageReport,
  type DigestValue,
  type DocumentFormat,
  type Finding,
  type FindingCode,
  finding,
  findingSeverities,
  type LaterChange,
  type LaterChangeKind,
  type PolicyReport,
  type ReferenceReport,
  type Severity,
  type SignatureFormat,
  type SignatureLevel,
  type SignatureReport,
  type SignedValues,
  type SignerReport,
  type TimestampReport,
  type ValidationReport,
} from './report.ts'
export { findingText, type Language, type ReportTextOptions, reportText, reportTexts, signatureRows } from './text.ts'
