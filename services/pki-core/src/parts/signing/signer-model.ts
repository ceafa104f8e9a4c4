// Somebody who signed, as clients read it (pki-core facts 4.4).
import type { DigestValue, SignatureReport, TimestampReport } from '@chancela/signature-engine/report'
import type { SignatureType } from '../../contract/documents.ts'
import type { ValidationResults } from '../../contract/models.ts'
import type { SignerView } from '../../contract/signature-inspection.ts'
import { certificateModel } from '../../rules/certificate-model.ts'

type DigestView = NonNullable<SignerView['messageDigest']>

export const digestNames: Readonly<Record<string, NonNullable<DigestView['algorithm']>>> = {
  md5: 'MD5',
  sha1: 'SHA1',
  sha256: 'SHA256',
  sha384: 'SHA384',
  sha512: 'SHA512',
}

const digestOids: Readonly<Record<string, string>> = {
  sha1: '1.3.14.3.2.26',
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
}

const digestView = (digest: DigestValue | null | undefined): DigestView | null =>
  digest
    ? {
        algorithm: digestNames[digest.algorithm] ?? null,
        value: digest.value.toString('base64'),
        hexValue: digest.value.toString('hex'),
      }
    : null

const rsaOids: Readonly<Record<string, string>> = {
  sha1: '1.2.840.113549.1.1.5',
  sha256: '1.2.840.113549.1.1.11',
  sha384: '1.2.840.113549.1.1.12',
  sha512: '1.2.840.113549.1.1.13',
}

const ecdsaOids: Readonly<Record<string, string>> = {
  sha1: '1.2.840.10045.4.1',
  sha256: '1.2.840.10045.4.3.2',
  sha384: '1.2.840.10045.4.3.3',
  sha512: '1.2.840.10045.4.3.4',
}

type Algorithm = NonNullable<NonNullable<SignerView['signature']>['algorithmIdentifier']>

/** By the engine's name, such as RSA-SHA256; null for what has none of the contract's digests. */
function algorithmOf(name: string): Algorithm | null {
  const [, family, digest = ''] = /^(RSA|ECDSA)-(SHA\d+)$/.exec(name) ?? []
  const key = digest.toLowerCase()
  const digestAlgorithm = digestNames[key]
  const oid = (family === 'RSA' ? rsaOids : ecdsaOids)[key]
  if (!family || !digestAlgorithm || !oid) return null
  return {
    algorithm: family === 'RSA' ? (`${digest}WithRSA` as Algorithm['algorithm']) : null,
    oid,
    digestAlgorithm,
    digestAlgorithmOid: digestOids[key]!,
  }
}

const LONG_TERM: ReadonlySet<string> = new Set(['B-LT', 'B-LTA', 'AD-RV', 'AD-RC', 'AD-RA'])

/** A timestamp as a report has it. Clients read its imprint without asking whether there is one. */
export const timestampModel = ({
  time,
  values,
}: Pick<TimestampReport, 'time' | 'values'>): SignerView['timestamps'][number] => ({
  genTime: time?.toISOString() ?? null,
  serialNumber: values ? BigInt(`0x${values.serialNumber}`).toString() : null,
  messageImprint: digestView(values?.imprint) ?? { algorithm: null, value: null, hexValue: null },
  encapsulatedContentType: 'TstInfo',
  hasEncapsulatedContent: true,
})

/** One signature of a file; `results` where it was validated. */
export function signerModel(
  type: SignatureType,
  report: SignatureReport,
  results: ValidationResults | null,
): Omit<SignerView, 'validationResults'> & { readonly validationResults: ValidationResults | null } {
  const { values, signer, policy, claimedTime, provenTime, coverage } = report
  const certified = provenTime.by === 'timestamp' ? provenTime.time.toISOString() : null
  return {
    messageDigest: digestView(values?.contentDigest),
    signature: values
      ? {
          algorithmIdentifier: algorithmOf(report.algorithm),
          value: values.signature.toString('base64'),
          hexValue: values.signature.toString('hex'),
        }
      : null,
    signaturePolicy: policy && { oid: policy.oid, uri: policy.uri, digest: digestView(values?.policyDigest) },
    signingTime: claimedTime?.toISOString() ?? null,
    certifiedDateReference: certified,
    timestamps: report.timestamps.map(timestampModel),
    isDocumentTimestamp: report.kind === 'document-timestamp',
    signatureFieldName: type === 'Pdf' ? report.name : null,
    validationResults: results,
    hasLtv: LONG_TERM.has(report.level),
    xmlSignedEntityType: type === 'Xml' ? (coverage.wholeDocument ? 'FullXml' : 'XmlElement') : null,
    certificate: signer && certificateModel(signer.certificate, report.certificate?.path.slice(1)),
    date: certified ?? claimedTime?.toISOString() ?? null,
  }
}
