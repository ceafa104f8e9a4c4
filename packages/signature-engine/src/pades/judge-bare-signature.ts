import type { JudgedSigner } from '../cms/judge-signer-info.ts'
import { type SignatureAlgorithm, signatureAlgorithms } from '../crypto/algorithms.ts'
import { isSignedBy } from '../crypto/verify-signature.ts'
import { readFirstDer } from '../der/der-value.ts'
import type { Judge } from '../judgement/judge-certificate.ts'
import type { PdfView } from '../pdf/pdf-file.ts'
import { isArray, isString, type PdfDict } from '../pdf/pdf-object.ts'
import { isPassed, notChecked, passed, signatureCheck } from '../report/check.ts'
import { signatureStatus } from '../report/indications.ts'
import { asOf, keyFindings, verdictFindings } from '../report/part-findings.ts'
import { provenAt } from '../report/proven-time.ts'
import { type Finding, finding } from '../report/report.ts'
import type { RevocationEvidence } from '../revocation/revocation-evidence.ts'
import { Certificate } from '../x509/certificate.ts'
import { signerReport } from '../x509/signer-report.ts'

/** A signature without CMS, as a PDF has it (`adbe.x509.rsa_sha1`, ISO 32000-1 §12.8.3.2). */
export interface BareSignature {
  /** A PKCS#1 signature as an OCTET STRING. */
  readonly value: Uint8Array
  /** Of /Cert, the signer's first. */
  readonly certificates: readonly Certificate[]
}

export interface JudgeBareOptions {
  readonly judge: Judge
  readonly now: Date
  /** What the signature is over; undefined where its ranges cannot be read. */
  readonly content: Uint8Array | undefined
  readonly extraCertificates: readonly Certificate[]
  readonly evidence: RevocationEvidence
  readonly latestProof: Date | undefined
}

/** Reads the signature and its certificates; refuses what is no OCTET STRING or no certificate. */
export function readBareSignature(view: Pick<PdfView, 'resolve'>, dict: PdfDict, contents: Uint8Array): BareSignature {
  const given = view.resolve(dict.get('Cert'))
  const strings = (isArray(given) ? given.map((one) => view.resolve(one)) : [given]).filter(isString)
  return { value: readFirstDer(contents).octets(), certificates: strings.map(({ bytes }) => Certificate.read(bytes)) }
}

/** The digests that its name allows: SHA-1, and since PDF 1.6 SHA-2, which the padded value tells (table 257). */
const algorithms = (['RSA-SHA1', 'RSA-SHA256', 'RSA-SHA384', 'RSA-SHA512'] as const).map(
  (name) => signatureAlgorithms[name],
)

/** Judges it by what there is: nothing says when it was made, nothing names the certificate, and it reaches no level. */
export async function judgeBareSignature(bare: BareSignature, options: JudgeBareOptions): Promise<JudgedSigner> {
  const { judge, now, extraCertificates: more, evidence, latestProof } = options
  const [certificate, ...others] = bare.certificates
  const algorithm = algorithmOf(bare, options.content)
  const signature = signatureCheck({ ...bare, certificate, algorithm, signed: () => options.content })
  const provenTime = provenAt(latestProof ? [latestProof] : [], now)
  const verdict = certificate
    ? await judge.certificate(certificate, {
        at: provenTime.time,
        now,
        purpose: 'signing',
        certificates: [...others, ...more],
        evidence,
      })
    : null
  const findings: Finding[] = [finding('signing-certificate-unprotected')]
  if (signature.state === 'failed') findings.push(finding('signature-wrong'))
  if (!options.content) findings.push(finding('content-missing'))
  if (isPassed(signature) && algorithm.digest === 'sha1')
    findings.push(finding('algorithm-weak', { algorithm: 'sha1' }))
  if (!certificate) findings.push(finding('signing-certificate-missing'))
  findings.push(...(certificate ? keyFindings(certificate) : []), ...verdictFindings(verdict))
  const dated = asOf(provenTime.time, findings)
  return {
    format: 'PAdES',
    ...signatureStatus({ findings: dated, verdict }),
    signer: certificate ? signerReport(certificate) : null,
    claimedTime: null,
    provenTime,
    level: 'none',
    policy: null,
    algorithm: algorithm.name,
    integrity: {
      content: isPassed(signature) ? passed : notChecked('digest-absent'),
      signature,
      certificateBinding: notChecked('certificate-unnamed'),
    },
    certificate: verdict,
    timestamps: [],
    counterSignatures: [],
    findings: dated,
    values: { contentDigest: null, signature: Buffer.from(bare.value), policyDigest: null },
  }
}

/** The one that fits; SHA-1, after which the kind is named, where none does. */
function algorithmOf({ value, certificates: [certificate] }: BareSignature, content?: Uint8Array): SignatureAlgorithm {
  const [byName] = algorithms
  if (!certificate?.hasKnownKey || !content) return byName!
  return algorithms.find((one) => isSignedBy(certificate.publicKey, one, content, value)) ?? byName!
}
