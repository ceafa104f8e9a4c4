import { EngineError } from '@chancela/signature-engine'
import type { Judge } from '@chancela/signature-engine/judgement'
import type { SignatureReport, ValidationReport } from '@chancela/signature-engine/report'
import { judgeTimestamp, readTimestampToken } from '@chancela/signature-engine/timestamps'
import { signerReport } from '@chancela/signature-engine/x509'
import { digestOfFile } from './files.ts'

/** Whether these bytes are a stand-alone timestamp (`.tst`) and not a signature. */
export function isTimestamp(bytes: Uint8Array): boolean {
  try {
    readTimestampToken(bytes)
    return true
  } catch (error) {
    if (error instanceof EngineError) return false
    throw error
  }
}

interface TimestampTerms {
  readonly judge: Judge
  readonly now: Date
  /** Path of the stamped content. */
  readonly content: string | undefined
}

/** Validates a stand-alone timestamp and reports it as a signature of the authority. */
export async function validateTimestamp(
  token: Uint8Array,
  { judge, now, content }: TimestampTerms,
): Promise<ValidationReport> {
  const { digest } = readTimestampToken(token).imprint
  const imprint = digest && content !== undefined ? await digestOfFile(digest, content) : undefined
  const imprintOf = () => imprint
  const report = await judgeTimestamp(token, imprintOf, { judge, now, kind: 'document' })
  const authority = report.certificate?.path[0]
  const isValid = report.indication === 'valid'
  const signature: SignatureReport = {
    format: 'CAdES',
    kind: 'document-timestamp',
    name: 'RFC 3161',
    indication: report.indication,
    signer: authority ? signerReport(authority) : null,
    claimedTime: report.time,
    provenTime: isValid && report.time ? { time: report.time, by: 'timestamp' } : { time: now, by: 'now' },
    level: 'none',
    policy: null,
    algorithm: authority?.signatureAlgorithm?.name ?? 'unknown',
    integrity: {
      content: report.imprint,
      signature: report.signature,
      certificateBinding: report.certificateBinding,
    },
    coverage: { wholeDocument: true, description: 'the file it was made for' },
    certificate: report.certificate,
    timestamps: [],
    counterSignatures: [],
    findings: report.findings,
  }
  return { format: 'CAdES', indication: report.indication, judgedAt: now, signatures: [signature], findings: [] }
}
