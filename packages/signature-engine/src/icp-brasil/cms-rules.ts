import { attributeOids, contentTypes } from '../cms/oids.ts'
import {
  type Attribute,
  attributesOf,
  identifies,
  readSignedData,
  readSignerInfo,
  type SignedData,
  type SignerInfo,
  valuesOf,
} from '../cms/signed-data.ts'
import { policyOf } from '../cms/signer-attributes.ts'
import { digestAlgorithms } from '../crypto/algorithms.ts'
import { type DerValue, readDer } from '../der/der-value.ts'
import { tags } from '../der/tags.ts'
import { policyByOid } from '../policies/policies.ts'
import { type BrokenRule, broken } from './broken-rule.ts'

/** What the norms of ICP-Brasil ask of a CMS signature, beyond what makes it valid. */
export function* cmsRules(signedData: SignedData, signer: SignerInfo): Iterable<BrokenRule> {
  yield* contentTypeRules(signer)
  yield* hashIdentifierRules(signedData)
  yield* certificateReferenceRules(signedData, signer)
  yield* policyRules(signer)
  yield* counterSignatureRules(signer)
  yield* timestampRules(signer)
}

/** Only PAdES: what ISO 32000-2 and ICP-Brasil's tables A.18 to A.22 allow in /Contents. */
export function* pdfSignatureRules(signedData: SignedData, signer: SignerInfo): Iterable<BrokenRule> {
  if (signedData.content !== null) yield broken('content-inside-pdf-signature')
  if (has(signer.signedAttributes, attributeOids.signingTime)) yield broken('signing-time-in-pdf')
  const other = signer.unsignedAttributes.find(({ oid }) => oid !== attributeOids.signatureTimestamp)
  if (other) yield broken('unsigned-attribute-in-pdf', { attribute: other.oid })
}

const has = (attributes: readonly Attribute[] | undefined, oid: string): boolean =>
  attributesOf(attributes, oid).length > 0

function* contentTypeRules({ signedAttributes }: SignerInfo): Iterable<BrokenRule> {
  if (signedAttributes === undefined) return
  const [type] = valuesOf(signedAttributes, attributeOids.contentType)
  if (type?.oid() !== contentTypes.data) yield broken('content-type-attribute')
}

/** DOC-ICP-15.03, annex 1, note 3, and RFC 5754 §2. */
function* hashIdentifierRules({ digestAlgorithms: identifiers }: SignedData): Iterable<BrokenRule> {
  if (identifiers.some((identifier) => readDer(identifier).members().length > 1)) yield broken('hash-parameters')
}

function* certificateReferenceRules(signedData: SignedData, signer: SignerInfo): Iterable<BrokenRule> {
  const [second] = valuesOf(signer.signedAttributes, attributeOids.signingCertificateV2)
  const [first] = valuesOf(signer.signedAttributes, attributeOids.signingCertificate)
  if (!second) return yield broken(first ? 'signing-certificate-old' : 'signing-certificate-missing')
  const references = second.sequence().next().members()
  if (references.length > 1) yield broken('signing-certificate-several', { certificates: references.length })
  if (references[0]) yield* referenceRules(references[0], signedData, signer)
}

/** ESSCertIDv2 of RFC 5035 §4: `[hashAlgorithm DEFAULT sha256] certHash [issuerSerial]`. */
function* referenceRules(reference: DerValue, signedData: SignedData, signer: SignerInfo): Iterable<BrokenRule> {
  const fields = reference.sequence()
  const algorithm = fields.optional(tags.sequence)
  fields.next(tags.octetString)
  const issuerSerial = fields.optional(tags.sequence)
  if (algorithm?.sequence().next().oid() === digestAlgorithms.sha256.oid) yield broken('default-hash-encoded')
  if (!issuerSerial) return yield broken('issuer-serial-missing')
  const certificate = signedData.certificates.find((one) => identifies(signer.identifier, one))
  const serialNumber = issuerSerial.sequence().rest().at(-1)?.integer()
  if (certificate && !serialNumber?.equals(certificate.serialNumber)) yield broken('issuer-serial-wrong')
}

function* policyRules(signer: SignerInfo): Iterable<BrokenRule> {
  const claimed = policyOf(signer)
  if (!claimed) return
  const { fileHash } = policyByOid(claimed.oid) ?? {}
  if (fileHash && claimed.hash?.value.equals(fileHash)) yield broken('policy-hash-of-file', { oid: claimed.oid })
  if (claimed.uri === null) yield broken('policy-address-missing', { oid: claimed.oid })
}

/** DOC-ICP-15.03, note of table A.4: a counter-signature has no policy of its own. */
function* counterSignatureRules({ unsignedAttributes }: SignerInfo): Iterable<BrokenRule> {
  for (const value of valuesOf(unsignedAttributes, attributeOids.counterSignature)) {
    if (has(readSignerInfo(value).signedAttributes, attributeOids.signaturePolicy)) {
      yield broken('counter-signature-policy')
    }
  }
}

/** DOC-ICP-15.03, tables A.18 to A.22: a timestamp has no unsigned attributes. */
function* timestampRules({ unsignedAttributes }: SignerInfo): Iterable<BrokenRule> {
  for (const token of valuesOf(unsignedAttributes, attributeOids.signatureTimestamp)) {
    const [authority] = readSignedData(token.raw).signers
    if (authority && authority.unsignedAttributes.length > 0) yield broken('timestamp-attributes')
  }
}
