import type { DigestName } from '../crypto/algorithms.ts'
import { requireArguments } from '../errors/arguments.ts'
import { EngineError } from '../errors/engine-error.ts'
import type { Judge } from '../judgement/judge-certificate.ts'
import { type Check, digestCheck, notChecked, worstCheck } from '../report/check.ts'
import { timestampStatus } from '../report/indications.ts'
import { asOf } from '../report/part-findings.ts'
import { type Finding, finding, type TimestampReport } from '../report/report.ts'
import { malformed } from '../report/tried.ts'
import type { RevocationEvidence } from '../revocation/revocation-evidence.ts'
import type { Certificate } from '../x509/certificate.ts'
import { checkTokenSignature, isForTimestamping, readTimestampToken, type TimestampToken } from './timestamp-token.ts'

export interface JudgeTimestampOptions {
  readonly judge: Judge
  readonly now: Date
  readonly kind: TimestampReport['kind']
  /** When the token is known to have existed: the time of a later, valid timestamp over it. Default `now`. */
  readonly provenAt?: Date
  /** Certificates found with the token. */
  readonly certificates?: readonly Certificate[]
  /** Revocation data found with the token. */
  readonly evidence?: RevocationEvidence
}

/** The digest of the stamped bytes: undefined when they are not there, or what is known of them without any. */
export type ImprintOf = (name: DigestName) => Uint8Array | Check | undefined

/**
 * Validates one timestamp over bytes whose digest `imprintOf` returns (undefined when it cannot). Never throws for the
 * token's content; an unreadable one is reported with the time 1970-01-01.
 */
export async function judgeTimestamp(
  token: Uint8Array,
  imprintOf: ImprintOf,
  options: JudgeTimestampOptions,
): Promise<TimestampReport> {
  requireArguments('judgeTimestamp', { token: [token, 'bytes'], imprintOf: [imprintOf, 'function'] }, options, [
    'judge',
    'now',
  ])
  try {
    return await judged(readTimestampToken(token), token, imprintOf, options)
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'timestamp.malformed') throw error
    return unreadable(options.kind, error)
  }
}

async function judged(
  token: TimestampToken,
  bytes: Uint8Array,
  imprintOf: ImprintOf,
  options: JudgeTimestampOptions,
): Promise<TimestampReport> {
  const { judge, now, kind, provenAt = now, certificates = [], evidence } = options
  const check = checkTokenSignature(token, certificates)
  const findings = asOf(provenAt, check.findings)
  const { digest } = token.imprint
  if (!digest) findings.push(finding('algorithm-unknown', { algorithm: token.imprint.algorithm }))
  const imprint = imprintCheck(token.imprint, imprintOf)
  findings.push(...imprintFindings(imprint))
  const { certificate } = check
  if (certificate && !isForTimestamping(certificate)) {
    findings.push(finding('timestamp-invalid', { reason: 'the certificate is not for time stamping alone' }))
  }
  // A token with a time later than that at which it provably existed is wrong.
  if (token.time.getTime() > provenAt.getTime() + TOLERATED_SKEW_MS) {
    findings.push(finding('timestamp-invalid', { reason: 'its time is in the future' }))
  }
  const verdict = certificate
    ? await judge.certificate(certificate, {
        at: provenAt,
        now,
        purpose: 'timestamping',
        certificates: [...token.certificates, ...certificates],
        evidence: joined({ crls: token.signedData.crls, ocsps: token.signedData.ocsps }, evidence),
      })
    : null
  if (verdict && verdict.indication !== 'valid') {
    const reason = verdict.reasons.map(({ code }) => code).join(', ')
    findings.push(finding('timestamp-authority-untrusted', { reason }))
  }
  return {
    kind,
    ...timestampStatus({ findings, verdict }),
    time: token.time,
    authority: certificate?.subject.commonName ?? '',
    policy: token.policy,
    imprint,
    signature: worstCheck([check.integrity.content, check.integrity.signature]),
    certificateBinding: check.integrity.certificateBinding,
    certificate: verdict,
    findings,
    values: {
      imprint: { algorithm: digest ?? token.imprint.algorithm, value: token.imprint.value },
      serialNumber: token.serialNumber,
      token: bytes,
    },
  }
}

/** Correct clocks differ by less. */
const TOLERATED_SKEW_MS = 5 * 60_000

function imprintCheck({ digest, value }: TimestampToken['imprint'], imprintOf: ImprintOf): Check {
  const found = digest && imprintOf(digest)
  return found && 'state' in found ? found : digestCheck(digest, value, () => found)
}

const imprintFindings = (imprint: Check): Finding[] => {
  if (imprint.state === 'failed') return [finding('timestamp-imprint-mismatch')]
  return imprint.state === 'not-checked' && imprint.reason === 'content-missing' ? [finding('content-missing')] : []
}

const joined = (a: RevocationEvidence, b: RevocationEvidence | undefined): RevocationEvidence =>
  b ? { crls: [...a.crls, ...b.crls], ocsps: [...a.ocsps, ...b.ocsps] } : a

const unreadable = (kind: TimestampReport['kind'], error: EngineError): TimestampReport => ({
  kind,
  indication: 'invalid',
  mainIndication: 'FAILED',
  subIndication: 'FORMAT_FAILURE',
  time: null,
  authority: '',
  policy: '',
  imprint: notChecked('structure-malformed'),
  signature: notChecked('structure-malformed'),
  certificateBinding: notChecked('structure-malformed'),
  certificate: null,
  findings: [malformed(error)],
})
