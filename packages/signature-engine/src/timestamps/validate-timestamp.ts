import { createHash } from 'node:crypto'
import type { DigestName } from '../crypto/algorithms.ts'
import { digest } from '../crypto/digest.ts'
import { EngineError } from '../errors/engine-error.ts'
import type { Judge } from '../judgement/judge-certificate.ts'
import type { SignatureReport, TimestampReport, ValidationReport } from '../report/report.ts'
import { signerReport } from '../x509/signer-report.ts'
import { judgeTimestamp } from './judge-timestamp.ts'
import { readTimestampToken } from './timestamp-token.ts'

export interface ValidateTimestampOptions {
  readonly judge: Judge
  readonly now: Date
  /** What the timestamp was made for; as a stream it is hashed and not kept. */
  readonly content?: Uint8Array | AsyncIterable<Uint8Array>
  /** Digests of it, where it stays elsewhere itself. */
  readonly contentDigests?: Readonly<Partial<Record<DigestName, Uint8Array>>>
}

/** Whether these bytes are a timestamp on its own (`.tst`) and not a signature. */
export function isTimestamp(bytes: Uint8Array): boolean {
  try {
    readTimestampToken(bytes)
    return true
  } catch (error) {
    if (error instanceof EngineError) return false
    throw error
  }
}

/** Validates a timestamp on its own, and reports it as a signature of the authority. */
export async function validateTimestamp(
  token: Uint8Array,
  { judge, now, ...options }: ValidateTimestampOptions,
): Promise<ValidationReport> {
  const imprint = await imprintOf(readTimestampToken(token).imprint.digest, options)
  const report = await judgeTimestamp(token, () => imprint, { judge, now, kind: 'document' })
  const { indication } = report
  return { format: 'CAdES', indication, judgedAt: now, signatures: [asSignature(report, now)], findings: [] }
}

async function imprintOf(
  name: DigestName | undefined,
  { content, contentDigests }: Pick<ValidateTimestampOptions, 'content' | 'contentDigests'>,
): Promise<Uint8Array | undefined> {
  if (name === undefined) return undefined
  if (content === undefined) return contentDigests?.[name]
  if (content instanceof Uint8Array) return digest(name, content)
  const hash = createHash(name)
  for await (const piece of content) hash.update(piece)
  return hash.digest()
}

function asSignature(report: TimestampReport, now: Date): SignatureReport {
  const authority = report.certificate?.path[0]
  const isValid = report.indication === 'valid'
  return {
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
}
