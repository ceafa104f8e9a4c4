// Reports of validations: data for programs, text for people.
export {
  type CoverageReport,
  type Finding,
  type FindingCode,
  finding,
  findingSeverities,
  type IntegrityReport,
  type LaterChange,
  type LaterChangeKind,
  type PolicyReport,
  type Severity,
  type SignatureFormat,
  type SignatureLevel,
  type SignatureReport,
  type SignerReport,
  type TimestampReport,
  type ValidationReport,
} from './report.ts'
