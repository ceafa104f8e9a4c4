import { digestAlgorithms } from '../crypto/algorithms.ts'
import { fingerprint } from '../crypto/digest.ts'
import { requireArguments } from '../errors/arguments.ts'
import type { CertificateVerdict } from '../judgement/verdict.ts'
import type { SignatureReport, TimestampReport, ValidationReport } from '../report/report.ts'
import { constraints } from './constraints.ts'
import { mainIndicationUri, statusElements } from './indication-uris.ts'
import { type Stamp, signatureAttributes } from './signature-attributes.ts'
import { reference, ValidationObjects } from './validation-objects.ts'
import { element, leaf, parent, type Xml } from './xml-element.ts'

const NAMESPACES = {
  xmlns: 'http://uri.etsi.org/19102/v1.2.1#',
  'xmlns:ds': 'http://www.w3.org/2000/09/xmldsig#',
  'xmlns:XAdES': 'http://uri.etsi.org/01903/v1.3.2#',
}

/**
 * The validation report of ETSI TS 119 102-2 on a document: one part for each signature, counter-signatures included, and
 * the certificates, revocation data and timestamps that were used. It is not signed.
 */
export function etsiReport(report: ValidationReport): string {
  requireArguments('etsiReport', { signatures: [report?.signatures, 'list'], judgedAt: [report?.judgedAt, 'moment'] })
  const objects = new ValidationObjects()
  const signatures = withCounterSignatures(report.signatures).map((one) => signatureReport(one, report, objects))
  const parts = signatures.length > 0 ? signatures : [unsigned]
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('ValidationReport', NAMESPACES, parts, objects.xml)}\n`
}

const withCounterSignatures = (signatures: readonly SignatureReport[]): SignatureReport[] =>
  signatures.flatMap((one) => [one, ...withCounterSignatures(one.counterSignatures)])

/** The schema wants one part at least: a document without signatures has no status but that nothing is known. */
const unsigned = parent(
  'SignatureValidationReport',
  parent('SignatureValidationStatus', leaf('MainIndication', mainIndicationUri('INDETERMINATE'))),
)

function signatureReport(signature: SignatureReport, { judgedAt }: ValidationReport, objects: ValidationObjects): Xml {
  const stamps = signature.timestamps.map((timestamp) => ({ timestamp, id: timestampObject(timestamp, objects) }))
  return parent(
    'SignatureValidationReport',
    identifier(signature),
    constraints(signature),
    timeInfo(signature, judgedAt, stamps),
    signersDocument(signature),
    signatureAttributes(signature, stamps),
    signerInformation(signature, objects),
    parent('SignatureValidationProcess', leaf('SignatureValidationProcessID', processOf(signature))),
    parent('SignatureValidationStatus', statusElements(signature), verdictData(signature.certificate, objects)),
  )
}

const timestampObject = (timestamp: TimestampReport, objects: ValidationObjects): string | undefined =>
  objects.timestamp(timestamp, () =>
    parent(
      'ValidationReport',
      parent('SignatureValidationStatus', statusElements(timestamp), verdictData(timestamp.certificate, objects)),
    ),
  )

function identifier({ values, name }: SignatureReport): Xml {
  const value = values && leaf('ds:SignatureValue', values.signature.toString('base64'))
  // The Id stands for the value; two signatures may share one, and then the place tells them apart.
  const id = `S-${fingerprint(Buffer.concat([values?.signature ?? Buffer.alloc(0), Buffer.from(name)]))}`
  return element('SignatureIdentifier', { id }, value, leaf('HashOnly', 'false'), leaf('DocHashOnly', 'false'))
}

function timeInfo({ provenTime: { time, by } }: SignatureReport, judgedAt: Date, stamps: readonly Stamp[]): Xml {
  const proof = stamps.find(({ timestamp }) => by === 'timestamp' && timestamp.time?.getTime() === time.getTime())
  return parent(
    'ValidationTimeInfo',
    leaf('ValidationTime', judgedAt.toISOString()),
    parent(
      'BestSignatureTime',
      leaf('POETime', time.toISOString()),
      leaf('TypeOfProof', 'urn:etsi:019102:poetype:validation'),
      proof?.id === undefined ? undefined : reference('POEObject', proof.id),
    ),
  )
}

function signersDocument({ values }: SignatureReport): Xml | undefined {
  const { algorithm, value } = values?.contentDigest ?? {}
  const known = Object.entries(digestAlgorithms).find(([name]) => name === algorithm)?.[1]
  if (!value || !known?.xml) return undefined
  const digest = [
    element('ds:DigestMethod', { Algorithm: known.xml }),
    leaf('ds:DigestValue', value.toString('base64')),
  ]
  return parent('SignersDocument', parent('DigestAlgAndValue', digest))
}

const signerInformation = ({ signer }: SignatureReport, objects: ValidationObjects): Xml | undefined =>
  signer
    ? parent(
        'SignerInformation',
        reference('SignerCertificate', objects.certificate(signer.certificate)),
        leaf('Signer', signer.name),
      )
    : undefined

/** The process of EN 319 102-1 that the level asks for (TS 119 102-2 §4.3.11.1). */
const processOf = ({ level }: SignatureReport): string =>
  `urn:etsi:019102:validationprocess:${ARCHIVED.has(level) ? 'LTA' : BASIC.has(level) ? 'Basic' : 'LTVM'}`

const ARCHIVED: ReadonlySet<string> = new Set(['B-LTA', 'AD-RA'])
const BASIC: ReadonlySet<string> = new Set(['none', 'B-B', 'AD-RB'])

/** The chain of a certificate, what its revocation was read from, and when it was revoked. */
function verdictData(verdict: CertificateVerdict | null, objects: ValidationObjects): Xml | undefined {
  if (!verdict) return undefined
  const [holder, ...issuers] = verdict.path
  if (!holder) return undefined
  const between = issuers.filter((issuer) => issuer !== verdict.anchor)
  const anchor = verdict.anchor ? reference('TrustAnchor', objects.certificate(verdict.anchor)) : undefined
  const evidence = new Set(verdict.revocation.flatMap((status) => objects.evidence(status) ?? []))
  return parent(
    'AssociatedValidationReportData',
    anchor,
    parent(
      'CertificateChain',
      reference('SigningCertificate', objects.certificate(holder)),
      between.map((issuer) => reference('IntermediateCertificate', objects.certificate(issuer))),
      anchor,
    ),
    [...evidence].map((id) => reference('RelatedValidationObject', id)),
    revocationInformation(verdict, objects),
  )
}

function revocationInformation({ revocation }: CertificateVerdict, objects: ValidationObjects): Xml | undefined {
  const revoked = revocation.find(({ state }) => state === 'revoked' || state === 'on-hold')
  if (!revoked?.revokedAt) return undefined
  const evidence = objects.evidence(revoked)
  return parent(
    'RevocationStatusInformation',
    reference('ValidationObjectId', objects.certificate(revoked.certificate)),
    leaf('RevocationTime', revoked.revokedAt.toISOString()),
    revoked.reason ? leaf('RevocationReason', `urn:etsi:019102:revocationReason:${revoked.reason}`) : undefined,
    evidence ? reference('RevocationObject', evidence) : undefined,
  )
}
