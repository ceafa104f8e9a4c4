import { type DigestName, digestByXmlUri } from '../crypto/algorithms.ts'
import { digest } from '../crypto/digest.ts'
import { type Check, digestCheck, isPassed, notChecked } from '../report/check.ts'
import type { Certificate } from '../x509/certificate.ts'
import { keyedAmong } from '../x509/inherited-parameters.ts'
import type { XmlIndex } from '../xml/xml-index.ts'
import { atMostOne, base64 } from './read-signature.ts'
import { DS, XADES } from './vocabulary.ts'

interface CertificateDigest {
  readonly digest: DigestName | undefined
  readonly value: Buffer
}

interface ClaimedPolicy {
  readonly oid: string
  readonly hash: { readonly digest: DigestName; readonly value: Buffer } | null
  readonly uri: string | null
}

/** The signer's statements about the signature. */
export interface SignedProperties {
  readonly signingTime: Date | null
  readonly certificates: readonly CertificateDigest[]
  readonly policy: ClaimedPolicy | null
  readonly hasFirstForm: boolean
}

/** Reads xades:SignedProperties. */
export function readSignedProperties(index: XmlIndex, signedProperties: number): SignedProperties {
  const properties = atMostOne(index, signedProperties, 'SignedSignatureProperties')
  if (properties === undefined) return { signingTime: null, certificates: [], policy: null, hasFirstForm: false }
  const first = atMostOne(index, properties, 'SigningCertificate')
  const second = atMostOne(index, properties, 'SigningCertificateV2')
  const time = atMostOne(index, properties, 'SigningTime')
  const policy = atMostOne(index, properties, 'SignaturePolicyIdentifier')
  return {
    signingTime: time === undefined ? null : dateTime(index.text(time) ?? ''),
    certificates: [first, second].flatMap((element) =>
      element === undefined ? [] : certificateDigests(index, element),
    ),
    policy: policy === undefined ? null : readPolicy(index, policy),
    hasFirstForm: first !== undefined,
  }
}

function certificateDigests(index: XmlIndex, element: number): CertificateDigest[] {
  return index
    .childrenNamed(element, XADES, 'Cert')
    .flatMap((cert) =>
      index.childrenNamed(cert, XADES, 'CertDigest').map((certDigest) => readDigest(index, certDigest)),
    )
}

function readDigest(index: XmlIndex, element: number): CertificateDigest {
  const [method] = index.childrenNamed(element, DS, 'DigestMethod')
  const [value] = index.childrenNamed(element, DS, 'DigestValue')
  return {
    digest: method === undefined ? undefined : digestByXmlUri(index.attribute(method, 'Algorithm') ?? ''),
    value: value === undefined ? Buffer.alloc(0) : base64(index, value),
  }
}

/** Null for an implied policy, which names nothing. */
function readPolicy(index: XmlIndex, element: number): ClaimedPolicy | null {
  const id = atMostOne(index, element, 'SignaturePolicyId')
  const sigPolicyId = id === undefined ? undefined : atMostOne(index, id, 'SigPolicyId')
  const identifier = sigPolicyId === undefined ? undefined : atMostOne(index, sigPolicyId, 'Identifier')
  if (id === undefined || identifier === undefined) return null
  const hashElement = atMostOne(index, id, 'SigPolicyHash')
  const hash = hashElement === undefined ? undefined : readDigest(index, hashElement)
  const [uri] = index.findAll(XADES, 'SPURI', id)
  return {
    oid: (index.text(identifier) ?? '').trim().replace(/^urn:oid:/i, ''),
    hash: hash?.digest === undefined ? null : { digest: hash.digest, value: hash.value },
    uri: uri === undefined ? null : (index.text(uri) ?? '').trim(),
  }
}

/** xsd:dateTime with a time zone; without one the time is unknown. */
function dateTime(text: string): Date | null {
  const trimmed = text.trim()
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/.test(trimmed)) return null
  const time = new Date(trimmed)
  return Number.isNaN(time.getTime()) ? null : time
}

export interface SigningCertificate {
  readonly certificate: Certificate | undefined
  /** Whether the signed properties name this very certificate. */
  readonly binding: Check
}

/** The certificate that the first signed digest matches; without such a digest, the first, unprotected candidate. */
export function findSigningCertificate(
  properties: SignedProperties | undefined,
  candidates: readonly Certificate[],
): SigningCertificate {
  const [named] = properties?.certificates ?? []
  const [first] = candidates
  if (!first) return { certificate: undefined, binding: notChecked('certificate-missing') }
  if (!named) return { certificate: keyedAmong(first, candidates), binding: notChecked('certificate-unnamed') }
  const bindingTo = ({ der }: Certificate) => digestCheck(named.digest, named.value, () => digest(named.digest!, der))
  const certificate = candidates.find((candidate) => isPassed(bindingTo(candidate))) ?? first
  return { certificate: keyedAmong(certificate, candidates), binding: bindingTo(certificate) }
}
