import { policyByOid } from '../policies/policies.ts'
import type { SignatureReport } from '../report/report.ts'
import { readSignature, type XmlSignature } from '../xades/read-signature.ts'
import { readSignedProperties } from '../xades/signed-properties.ts'
import { DS, SIGNED_PROPERTIES_TYPE, XADES } from '../xades/vocabulary.ts'
import type { XmlIndex } from '../xml/xml-index.ts'
import { scanXml } from '../xml/xml-scanner.ts'
import { type BrokenRule, broken } from './broken-rule.ts'

/** Rules about one XAdES signature of a document. */
export function* xmlRules(document: Uint8Array, { name }: SignatureReport): Iterable<BrokenRule> {
  const index = scanXml(document)
  const elements = index.findAll(DS, 'Signature')
  const element = elements.find((one) => index.attribute(one, 'Id') === name) ?? elements[0]
  if (element === undefined) return
  const signature = readSignature(index, element)
  if (signature.signedProperties === undefined) return
  yield* referenceRules(signature)
  yield* propertyRules(index, signature.signedProperties)
}

/** EN 319 132-1 §4.4: the reference to the signed properties says what it is. */
function* referenceRules({ references }: XmlSignature): Iterable<BrokenRule> {
  if (!references.some(({ type }) => type === SIGNED_PROPERTIES_TYPE)) yield broken('xml-reference-type')
}

function* propertyRules(index: XmlIndex, signedProperties: number): Iterable<BrokenRule> {
  if (index.findAll(XADES, 'MimeType', signedProperties).length === 0) yield broken('xml-mime-type')
  const { certificates, policy } = readSignedProperties(index, signedProperties)
  if (certificates.length === 0) yield broken('signing-certificate-missing')
  if (certificates.length > 1) yield broken('signing-certificate-several', { certificates: certificates.length })
  if (!policy) return
  const { fileHash } = policyByOid(policy.oid) ?? {}
  if (fileHash && policy.hash?.value.equals(fileHash)) yield broken('policy-hash-of-file', { oid: policy.oid })
  if (policy.uri === null) yield broken('policy-address-missing', { oid: policy.oid })
}
