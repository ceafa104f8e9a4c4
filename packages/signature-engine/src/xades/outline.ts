import { identifies } from '../cms/signed-data.ts'
import { digest } from '../crypto/digest.ts'
import { requireArguments } from '../errors/arguments.ts'
import { EngineError } from '../errors/engine-error.ts'
import { type PolicyName, policyByOid } from '../policies/policies.ts'
import { readTimestampToken } from '../timestamps/timestamp-token.ts'
import { Certificate } from '../x509/certificate.ts'
import { NO_ELEMENT, type XmlIndex } from '../xml/xml-index.ts'
import { base64, readSignature, type XmlSignature } from './read-signature.ts'
import { type Resolved, resolveReference } from './resolve-reference.ts'
import { readSignedProperties, type SignedProperties } from './signed-properties.ts'
import { embeddedCertificates, propertyNames, timestampProperties } from './unsigned-properties.ts'
import { DS, XADES } from './vocabulary.ts'
import { presentForm } from './xades-level.ts'

/** What a signature says of itself. Nothing of it is judged: no digest, no signature value, no certificate. */
export interface SignatureOutline {
  /** The content it refers to in the document; `element` undefined is the whole document. */
  readonly targets: readonly { readonly element: number | undefined; readonly omits: Resolved['omits'] }[]
  /** The certificate its signed properties name; undefined when it is not inside. */
  readonly certificate: Certificate | undefined
  readonly claimedTime: Date | null
  /** The form its ICP-Brasil policy promises, and the one whose properties are all there; undefined without policy. */
  readonly promised: PolicyName | undefined
  readonly present: PolicyName | undefined
  /** Archive timestamps in document order, with the certificates their authorities signed with. */
  readonly archives: readonly { readonly time: Date; readonly certificate: Certificate }[]
}

export interface OutlinedSignature {
  /** Ordinal in the index, and that of the element it stands in. */
  readonly element: number
  readonly parent: number
  readonly id: string | undefined
  /** Undefined when the signature is malformed. */
  readonly outline: SignatureOutline | undefined
}

/** Every signature of a document in document order, counter-signatures aside, read without judging anything. */
export function outlineXades(index: XmlIndex): OutlinedSignature[] {
  requireArguments('outlineXades', { index: [index, 'index'] })
  return index
    .findAll(DS, 'Signature')
    .filter((element) => !isCounterSignature(index, element))
    .map((element) => ({
      element,
      parent: index.parent(element),
      id: index.attribute(element, 'Id'),
      outline: readable(() => outlineOf(index, readSignature(index, element))),
    }))
}

const isCounterSignature = (index: XmlIndex, element: number): boolean =>
  index.parent(element) !== NO_ELEMENT && index.is(index.parent(element), XADES, 'CounterSignature')

function outlineOf(index: XmlIndex, signature: XmlSignature): SignatureOutline {
  const properties =
    signature.signedProperties === undefined ? undefined : readSignedProperties(index, signature.signedProperties)
  const promised = properties?.policy ? policyByOid(properties.policy.oid)?.name : undefined
  return {
    targets: targetsOf(index, signature),
    certificate: properties && namedCertificate(index, signature, properties),
    claimedTime: properties?.signingTime ?? null,
    promised,
    present: promised && presentForm(promised, propertyNames(index, signature)),
    archives: archivesOf(index, signature),
  }
}

/** Mostly the first certificate of all: the others are not even decoded. */
function namedCertificate(
  index: XmlIndex,
  { keyInfo }: XmlSignature,
  properties: SignedProperties,
): Certificate | undefined {
  const [named] = properties.certificates
  if (named?.digest === undefined || keyInfo === undefined) return undefined
  for (const element of index.findAll(DS, 'X509Certificate', keyInfo)) {
    const der = base64(index, element)
    if (digest(named.digest, der).equals(named.value)) return Certificate.read(der)
  }
  return undefined
}

const NOTHING_OUTSIDE = { find: () => undefined }

function targetsOf(index: XmlIndex, signature: XmlSignature): SignatureOutline['targets'] {
  return signature.references.flatMap((reference) => {
    const resolution = resolveReference(index, reference, NOTHING_OUTSIDE)
    if (!('resolved' in resolution)) return []
    const { apex, omits } = resolution.resolved
    return apex !== undefined && apex === signature.signedProperties ? [] : [{ element: apex, omits }]
  })
}

function archivesOf(index: XmlIndex, signature: XmlSignature): SignatureOutline['archives'] {
  // Most signatures have none, and reading the other timestamps takes longer than everything else here.
  if (!propertyNames(index, signature).has('ArchiveTimeStamp')) return []
  return timestampProperties(index, signature)
    .filter(({ kind }) => kind === 'archive')
    .flatMap(({ tokens }) => tokens)
    .flatMap((token) => {
      const { time, certificates, signer } = readTimestampToken(token)
      const candidates = [...certificates, ...embeddedCertificates(index, signature)]
      const certificate = candidates.find((candidate) => identifies(signer.identifier, candidate))
      return certificate === undefined ? [] : [{ time, certificate }]
    })
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return undefined
  }
}
