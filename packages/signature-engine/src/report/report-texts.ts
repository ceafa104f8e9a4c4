import type { CertificateReasonCode, Indication, RevocationState } from '../judgement/verdict.ts'
import type { CommitmentType } from '../signing/signer-claims.ts'
import type { UncheckedReason } from './check.ts'
import type {
  FindingCode,
  LaterChangeKind,
  PolicyReport,
  SignatureLevel,
  SignatureReport,
  TimestampReport,
} from './report.ts'

/**
 * All texts of a report in one language. `{name}` is replaced by the detail of that name; a part in square brackets is
 * left out when one of its details is missing.
 */
export interface ReportTexts {
  /** The sentence on the whole document, by verdict; with one signature and with several. */
  readonly document: Readonly<Record<Indication, { readonly one: string; readonly many: string }>>
  readonly unsigned: string
  /** Of a document of which something cannot be read, by whether signatures were found in it. */
  readonly unreadable: { readonly none: string; readonly some: string }
  readonly verdicts: Readonly<Record<Indication, string>>
  readonly timestampVerdicts: Readonly<Record<Indication, string>>
  readonly kinds: Readonly<Record<SignatureReport['kind'], string>>
  readonly levels: Readonly<Record<SignatureLevel, string>>
  readonly holderKinds: Readonly<Record<string, string>>
  readonly timestampKinds: Readonly<Record<TimestampReport['kind'], string>>
  readonly policyStatus: Readonly<Record<PolicyReport['status'], string>>
  readonly revocation: Readonly<Record<RevocationState, string>>
  readonly laterChanges: Readonly<Record<LaterChangeKind, string>>
  readonly commitments: Readonly<Record<CommitmentType, string>>
  readonly findings: Readonly<Record<FindingCode, string>>
  readonly reasons: Readonly<Record<CertificateReasonCode, string>>
  /** Why something was not checked, to stand in brackets. */
  readonly unchecked: Readonly<Record<UncheckedReason, string>>
  readonly labels: ReportLabels
}

interface ReportLabels {
  readonly summary: string
  readonly byPolicy: string
  readonly heading: string
  readonly signer: string
  readonly authority: string
  readonly issuedBy: string
  readonly time: string
  readonly proven: string
  readonly claimed: string
  readonly unclaimed: string
  readonly trust: string
  readonly trusted: string
  readonly notTrusted: Readonly<Record<Exclude<Indication, 'valid'>, string>>
  readonly content: string
  readonly contentIntact: string
  readonly contentChanged: string
  readonly contentUnchecked: string
  readonly signatureWrong: string
  readonly signatureUnchecked: string
  readonly coversAll: string
  readonly coversRevision: string
  readonly coversPart: string
  readonly leftOut: string
  readonly roles: string
  readonly commitments: string
  readonly place: string
  readonly mimeType: string
  readonly level: string
  readonly policy: string
  readonly policyHashWrong: string
  readonly chain: string
  readonly revocation: string
  readonly revocationFrom: string
  readonly timestamps: string
  readonly timestamp: string
  readonly later: string
  readonly permitted: string
  readonly notPermitted: string
  readonly revision: string
  readonly remarks: string
  readonly counterSignatures: string
}

/** Fills a text with details. */
export function filled(text: string, details: Readonly<Record<string, string | number | boolean>> = {}): string {
  const has = (part: string) => [...part.matchAll(/\{(\w+)\}/g)].every(([, name]) => name! in details)
  return text
    .replace(/\[([^\]]*)\]/g, (_, part: string) => (has(part) ? part : ''))
    .replace(/\{(\w+)\}/g, (_, name: string) => String(details[name] ?? '?'))
}
