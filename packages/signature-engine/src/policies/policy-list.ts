import { type DigestName, digestByOid, digestByXmlUri } from '../crypto/algorithms.ts'
import { type DerValue, readDer } from '../der/der-value.ts'
import { tags } from '../der/tags.ts'
import { requireArguments } from '../errors/arguments.ts'
import { EngineError } from '../errors/engine-error.ts'
import { ROOT, type XmlIndex } from '../xml/xml-index.ts'
import { scanXml } from '../xml/xml-scanner.ts'
import { refusePolicy } from './errors.ts'

/** One policy in the list of approved policies. */
export interface ListedPolicy {
  readonly oid: string
  readonly uri: string
  readonly notBefore: Date
  readonly notAfter: Date
  readonly revokedAt: Date | null
  /** Digest of the artefact's file; not the digest that signatures carry. */
  readonly fileHash: { readonly digest: DigestName; readonly value: Buffer }
}

/** A list of approved policies (LPA version 2), as ITI publishes one for each format. */
export interface PolicyList {
  readonly nextUpdate: Date
  readonly policies: readonly ListedPolicy[]
}

/** Current lists have 60 kilobytes at most. */
const MAX_LIST_BYTES = 4 * 1024 * 1024

const LPA = 'http://www.iti.gov.br/LPA/v2#'
const XADES = 'http://uri.etsi.org/01903/v1.3.2#'
const XMLDSIG = 'http://www.w3.org/2000/09/xmldsig#'

/** Reads a list in either form, DER (CAdES, PAdES) or XML (XAdES). `importPolicyList` validates its signature. */
export function readLpa(bytes: Uint8Array): PolicyList {
  requireArguments('readLpa', { bytes: [bytes, 'bytes'] })
  if (bytes.length > MAX_LIST_BYTES) throw refusePolicy('policy.list-too-large', { limit: MAX_LIST_BYTES })
  try {
    return bytes[0] === tags.sequence ? readDerList(readDer(bytes)) : readXmlList(scanXml(bytes))
  } catch (error) {
    if (!(error instanceof EngineError) || error.code.startsWith('policy.')) throw error
    throw refusePolicy('policy.list-unreadable', { reason: error.message }, error)
  }
}

// LPA ::= SEQUENCE { version DEFAULT v2, policyInfos SEQUENCE OF PolicyInfo, nextUpdate GeneralizedTime }
function readDerList(list: DerValue): PolicyList {
  const fields = list.sequence()
  fields.optional(tags.integer)
  const policies = fields.next(tags.sequence).members().map(readDerPolicy)
  const nextUpdate = fields.next().time()
  fields.end()
  return { policies, nextUpdate }
}

// PolicyInfo ::= SEQUENCE { signingPeriod, revocationDate OPTIONAL, policyOID, policyURI IA5String, policyDigest }
function readDerPolicy(policy: DerValue): ListedPolicy {
  const fields = policy.sequence()
  const [notBefore, notAfter] = fields.next(tags.sequence).members()
  if (!notBefore || !notAfter) throw policy.bad('signing period')
  const revokedAt = fields.optional(tags.generalizedTime)?.time() ?? null
  const oid = fields.next().oid()
  const uri = fields.next(tags.ia5String).text()
  const [algorithm, value] = fields.next(tags.sequence).members()
  if (!algorithm || !value) throw policy.bad('policy digest')
  const digest = requireDigest(digestByOid(algorithm.sequence().next().oid()))
  const fileHash = { digest, value: Buffer.from(value.octets()) }
  return { oid, uri, notBefore: notBefore.time(), notAfter: notAfter.time(), revokedAt, fileHash }
}

function readXmlList(xml: XmlIndex): PolicyList {
  if (!xml.is(ROOT, LPA, 'ApprovedSignaturePoliciesList')) throw unreadable('its root element is another one.')
  return {
    nextUpdate: timeOf(textOf(xml, ROOT, LPA, 'NextUpdate')),
    policies: xml.childrenNamed(ROOT, LPA, 'PolicyInfo').map((policy) => readXmlPolicy(xml, policy)),
  }
}

// Two generations of the XML list differ in nesting and namespaces of the digest's elements: names decide.
function readXmlPolicy(xml: XmlIndex, policy: number): ListedPolicy {
  const revokedAt = xml.findAll(LPA, 'RevocationDate', policy).at(0)
  const method = anyOf(xml, policy, 'DigestMethod')
  return {
    oid: textOf(xml, policy, XADES, 'Identifier').trim().replace('urn:oid:', ''),
    uri: textOf(xml, policy, LPA, 'PolicyURI').trim(),
    notBefore: timeOf(textOf(xml, policy, LPA, 'NotBefore')),
    notAfter: timeOf(textOf(xml, policy, LPA, 'NotAfter')),
    revokedAt: revokedAt === undefined ? null : timeOf(xml.text(revokedAt) ?? ''),
    fileHash: {
      digest: requireDigest(digestByXmlUri(xml.attribute(method, 'Algorithm') ?? '')),
      value: Buffer.from(xml.text(anyOf(xml, policy, 'DigestValue')) ?? '', 'base64'),
    },
  }
}

const anyOf = (xml: XmlIndex, within: number, name: string): number =>
  xml.findAll(XMLDSIG, name, within).at(0) ?? required(xml.findAll(LPA, name, within).at(0), name)

const textOf = (xml: XmlIndex, within: number, namespace: string, name: string): string =>
  xml.text(required(xml.findAll(namespace, name, within).at(0), name)) ?? ''

function required(element: number | undefined, name: string): number {
  if (element === undefined) throw unreadable(`it has no ${name}.`)
  return element
}

function requireDigest(digest: DigestName | undefined): DigestName {
  if (!digest) throw unreadable('a digest has an unknown algorithm.')
  return digest
}

function timeOf(text: string): Date {
  const time = new Date(text.trim())
  if (Number.isNaN(time.getTime())) throw unreadable('a time is none.')
  return time
}

const unreadable = (reason: string) => refusePolicy('policy.list-unreadable', { reason })
