import { EngineError } from '../errors/engine-error.ts'
import type { RevocationEvidence } from '../revocation/revocation-evidence.ts'
import { Certificate } from '../x509/certificate.ts'
import type { CanonicalForm } from '../xml/canonical-form.ts'
import type { XmlIndex } from '../xml/xml-index.ts'
import { atMostOne, base64, canonicalFormAt, malformed, type XmlSignature } from './read-signature.ts'
import { canonicalisations, DS, XADES, XADES_141 } from './vocabulary.ts'

/** A timestamp among the properties. */
export interface TimestampProperty {
  readonly element: number
  readonly kind: 'signature' | 'references' | 'archive' | 'content'
  readonly form: CanonicalForm
  readonly tokens: readonly Buffer[]
  /** A timestamp over some contents: the URIs of the references to them. */
  readonly includes?: readonly string[]
}

const TIMESTAMP_KINDS: Readonly<Record<string, TimestampProperty['kind']>> = {
  [`${XADES}SignatureTimeStamp`]: 'signature',
  [`${XADES}SigAndRefsTimeStamp`]: 'references',
  [`${XADES}ArchiveTimeStamp`]: 'archive',
  [`${XADES_141}ArchiveTimeStamp`]: 'archive',
}

/** The children of UnsignedSignatureProperties by local name: what levels are recognised by. */
export const propertyNames = (index: XmlIndex, { unsigned }: XmlSignature): ReadonlySet<string> =>
  new Set(unsigned === undefined ? [] : index.children(unsigned).map((property) => index.localName(property)))

/** Timestamps over contents, which are signed with them (EN 319 132-1 §5.2.8). */
export function contentTimestamps(index: XmlIndex, { signedProperties }: XmlSignature): TimestampProperty[] {
  const properties =
    signedProperties === undefined ? undefined : atMostOne(index, signedProperties, 'SignedDataObjectProperties')
  if (properties === undefined) return []
  const all = index.childrenNamed(properties, XADES, 'AllDataObjectsTimeStamp')
  const some = index.childrenNamed(properties, XADES, 'IndividualDataObjectsTimeStamp')
  return [
    ...all.map((element) => readTimestamp(index, element, 'content')),
    ...some.map((element) => ({
      ...readTimestamp(index, element, 'content', true),
      includes: index.childrenNamed(element, XADES, 'Include').map((include) => index.attribute(include, 'URI') ?? ''),
    })),
  ]
}

/** Every timestamp on the signature, in document order. */
export function timestampProperties(index: XmlIndex, { unsigned }: XmlSignature): TimestampProperty[] {
  if (unsigned === undefined) return []
  return index.children(unsigned).flatMap((element) => {
    const kind = TIMESTAMP_KINDS[index.namespaceName(element) + index.localName(element)]
    return kind === undefined ? [] : [readTimestamp(index, element, kind)]
  })
}

function readTimestamp(
  index: XmlIndex,
  element: number,
  kind: TimestampProperty['kind'],
  mayInclude = false,
): TimestampProperty {
  // Include elements select other inputs than the implied ones: no level needs them, so they are refused.
  if (!mayInclude && index.childrenNamed(element, XADES, 'Include').length > 0)
    throw malformed('a timestamp uses Include')
  const [method, ...methods] = index.childrenNamed(element, DS, 'CanonicalizationMethod')
  const form = method === undefined ? canonicalisations.inclusive.form : canonicalFormAt(index, method)
  if (form === undefined || methods.length > 0) throw malformed('a timestamp is canonicalised in an unknown way')
  const tokens = index.childrenNamed(element, XADES, 'EncapsulatedTimeStamp').map((token) => base64(index, token))
  if (tokens.length === 0) throw malformed('a timestamp is empty')
  return { element, kind, form, tokens }
}

export interface EmbeddedMaterial {
  readonly certificates: readonly Certificate[]
  readonly evidence: RevocationEvidence
}

/** Certificates and revocation data anywhere in the signature: KeyInfo, values, validation data of timestamps. */
export function embeddedMaterial(index: XmlIndex, signature: XmlSignature): EmbeddedMaterial {
  const bytesOf = (local: string) =>
    within(index, signature.unsigned, XADES, local).flatMap((element) => readable(() => base64(index, element)))
  return {
    certificates: embeddedCertificates(index, signature),
    evidence: { crls: bytesOf('EncapsulatedCRLValue'), ocsps: bytesOf('EncapsulatedOCSPValue') },
  }
}

/** The certificates alone: revocation lists may be a thousand times larger. */
export const embeddedCertificates = (index: XmlIndex, { keyInfo, unsigned }: XmlSignature): Certificate[] =>
  [
    ...within(index, keyInfo, DS, 'X509Certificate'),
    ...within(index, unsigned, XADES, 'EncapsulatedX509Certificate'),
  ].flatMap((element) => readable(() => Certificate.read(base64(index, element))))

const within = (index: XmlIndex, element: number | undefined, namespace: string, local: string): number[] =>
  element === undefined ? [] : index.findAll(namespace, local, element)

/** What cannot be parsed proves nothing and is left out; a signature that needed it will lack it. */
function readable<T>(read: () => T): T[] {
  try {
    return [read()]
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return []
  }
}
