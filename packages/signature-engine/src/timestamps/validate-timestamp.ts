import type { DigestName } from '../crypto/algorithms.ts'
import { digest, startDigest } from '../crypto/digest.ts'
import { readDer } from '../der/der-value.ts'
import { fromBer } from '../der/from-ber.ts'
import { derFromAnything } from '../der/pem.ts'
import { tags } from '../der/tags.ts'
import { requireArguments } from '../errors/arguments.ts'
import type { Judge } from '../judgement/judge-certificate.ts'
import { documentTimestampStatus } from '../report/indications.ts'
import type { SignatureReport, TimestampReport, ValidationReport } from '../report/report.ts'
import { type PolicyOption, underPolicy } from '../validation-policy/apply-policy.ts'
import { signerReport } from '../x509/signer-report.ts'
import { judgeTimestamp } from './judge-timestamp.ts'
import { tokenInResponse } from './timestamp-protocol.ts'
import { readTimestampToken } from './timestamp-token.ts'

export interface ValidateTimestampOptions extends PolicyOption {
  readonly judge: Judge
  readonly now: Date
  /** What the timestamp was made for; as a stream it is hashed and not kept. */
  readonly content?: Uint8Array | AsyncIterable<Uint8Array>
  /** Digests of it, where it stays elsewhere itself. */
  readonly contentDigests?: Readonly<Partial<Record<DigestName, Uint8Array>>>
  /** When it is known to have existed: the time of a later, valid timestamp over it. Default `now`. */
  readonly provenAt?: Date
}

/** Validates a timestamp on its own (a token, or the answer of an authority), as a signature of the authority. */
export async function validateTimestamp(
  file: Uint8Array,
  options: ValidateTimestampOptions,
): Promise<ValidationReport> {
  requireArguments('validateTimestamp', { file: [file, 'bytes'] }, options, ['judge', 'now'])
  const { judge, now, policy, provenAt = now } = options
  const token = tokenIn(file)
  const imprint = await imprintOf(readTimestampToken(token).imprint.digest, options)
  const report = await judgeTimestamp(token, () => imprint, { judge, now, kind: 'document', provenAt })
  const { indication } = report
  const signatures = [asSignature(report, now)]
  return underPolicy({ format: 'CAdES', indication, judgedAt: now, signatures, findings: [] }, policy)
}

/** The token of a file as authorities give it: by itself or in a TimeStampResp, in DER, PEM or base64. */
function tokenIn(file: Uint8Array): Uint8Array {
  const der = derFromAnything(file, 'PKCS7', 'CMS', 'PKCS #7 SIGNED DATA')
  const isAnswer = readDer(fromBer(der)).sequence().nextTag === tags.sequence
  return isAnswer ? tokenInResponse(der) : der
}

async function imprintOf(
  name: DigestName | undefined,
  { content, contentDigests }: Pick<ValidateTimestampOptions, 'content' | 'contentDigests'>,
): Promise<Uint8Array | undefined> {
  if (name === undefined) return undefined
  if (content === undefined) return contentDigests?.[name]
  if (content instanceof Uint8Array) return digest(name, content)
  const hash = startDigest(name)
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
    ...documentTimestampStatus({ findings: report.findings, verdict: report.certificate }),
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
