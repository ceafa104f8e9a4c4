import { attributeOids, contentTypes } from '../cms/oids.ts'
import { identifies, readSignedData, type SignedData, type SignerInfo, valuesOf } from '../cms/signed-data.ts'
import { policyOf, signingTimeOf } from '../cms/signer-attributes.ts'
import { policyTitle } from '../policies/policies.ts'
import { readTimestampToken } from '../timestamps/timestamp-token.ts'
import { inspectCertificate } from './inspect-certificate.ts'
import { inspectCrl, inspectOcsp } from './inspect-revocation.ts'
import { type Inspected, inspected } from './inspected.ts'
import { orNothing } from './or-nothing.ts'

/** A CMS SignedData: its signers with their attributes, its certificates and revocation data. */
export function inspectSignedData(bytes: Uint8Array): Inspected {
  const signedData = readSignedData(bytes)
  if (signedData.contentType === contentTypes.timestampInfo) return inspectTimestamp(bytes)
  return inspected(
    'signed-data',
    signedData.signers.length === 0 ? 'Certificates in PKCS#7' : 'CMS signature',
    {
      signers: signedData.signers.length,
      content: contentOf(signedData),
      encoding: signedData.isDer ? 'DER' : 'BER',
    },
    [
      ...signedData.signers.map((signer, at) => inspectSigner(signer, at, signedData)),
      ...signedData.certificates.map(inspectCertificate),
      ...signedData.crls.map(inspectCrl),
      ...signedData.ocsps.map(inspectOcsp),
    ],
  )
}

/** A timestamp of RFC 3161. */
function inspectTimestamp(bytes: Uint8Array): Inspected {
  const { time, policy, imprint, serialNumber, accuracyMs, certificates } = readTimestampToken(bytes)
  const facts = {
    time,
    policy,
    digest: imprint.digest ?? imprint.algorithm,
    imprint: imprint.value.toString('hex'),
    serialNumber,
    accuracyMs,
  }
  return inspected('timestamp', `Timestamp of ${time.toISOString()}`, facts, certificates.map(inspectCertificate))
}

const contentOf = ({ content, signers }: SignedData): string | undefined => {
  if (signers.length === 0) return undefined
  return content ? `attached, ${content.length} bytes` : 'detached'
}

function inspectSigner(signer: SignerInfo, at: number, { certificates }: SignedData): Inspected {
  const certificate = certificates.find((one) => identifies(signer.identifier, one))
  const policy = orNothing(() => policyOf(signer))
  return inspected(
    'signer',
    `Signer ${at + 1}: ${certificate?.subject.commonName ?? 'certificate not inside'}`,
    {
      digest: signer.digest ?? signer.digestOid,
      algorithm: signer.signatureAlgorithm?.name ?? signer.signatureOid,
      signingTime: orNothing(() => signingTimeOf(signer)),
      policy: policy ? (policyTitle(policy.oid) ?? policy.oid) : undefined,
      policyUri: policy?.uri,
      signedAttributes: signer.signedAttributes?.map(({ oid }) => attributeName(oid)),
      unsignedAttributes: signer.unsignedAttributes.map(({ oid }) => attributeName(oid)),
    },
    timestampAttributes.flatMap((oid) => valuesOf(signer.unsignedAttributes, oid).flatMap(({ raw }) => tokenOf(raw))),
  )
}

const timestampAttributes = [
  attributeOids.signatureTimestamp,
  attributeOids.referencesTimestamp,
  attributeOids.certificatesTimestamp,
  attributeOids.archiveTimestampV2,
  attributeOids.archiveTimestampV3,
]

const names: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(attributeOids).map(([name, oid]) => [oid, name]),
)

const attributeName = (oid: string): string => names[oid] ?? oid

/** The timestamp; nothing where it is none. */
export const tokenOf = (raw: Uint8Array): Inspected[] => {
  const token = orNothing(() => inspectTimestamp(raw))
  return token ? [token] : []
}
