import { type DigestName, digestAlgorithms, hashesItself } from '../crypto/algorithms.ts'
import { tooFewBits } from '../crypto/curves.ts'
import { digest } from '../crypto/digest.ts'
import { readDigestIdentifier } from '../crypto/read-identifiers.ts'
import { isSignedBy } from '../crypto/verify-signature.ts'
import { type DerValue, readDer } from '../der/der-value.ts'
import { contextConstructed, tags } from '../der/tags.ts'
import { EngineError } from '../errors/engine-error.ts'
import { type Finding, type FindingCode, finding } from '../report/report.ts'
import type { Certificate } from '../x509/certificate.ts'
import { DistinguishedName } from '../x509/distinguished-name.ts'
import { attributeOids } from './oids.ts'
import { attributesOf, identifies, type SignerInfo, valuesOf } from './signed-data.ts'

/** What a signer is checked against. */
export interface SignerCheckOptions {
  /** eContentType; undefined for a counter-signature, which must not name one (RFC 5652 §11.4). */
  readonly contentType: string | undefined
  /** Digest of the content; undefined when the content is not available. */
  readonly contentDigest: (name: DigestName) => Uint8Array | undefined
  /** The content itself: only a signature without signed attributes needs it. */
  readonly content?: Uint8Array | undefined
  /** Candidates for the signer's certificate. */
  readonly certificates: readonly Certificate[]
}

/** The checks of one signer that need no trust. */
export interface SignerCheck {
  readonly certificate: Certificate | undefined
  readonly contentIntact: boolean
  readonly signatureIntact: boolean
  readonly findings: readonly Finding[]
}

/** Attributes that RFC 5652 §11, RFC 5035 §3 and EN 319 122-1 §5 allow at most once, each with a single value. */
const single: readonly string[] = [
  attributeOids.contentType,
  attributeOids.messageDigest,
  attributeOids.signingTime,
  attributeOids.signingCertificate,
  attributeOids.signingCertificateV2,
  attributeOids.signaturePolicy,
]

/** Checks content, attributes, signature value and the binding to the certificate: always all of them. */
export function checkSigner(signer: SignerInfo, options: SignerCheckOptions): SignerCheck {
  const findings: Finding[] = []
  const say = (code: FindingCode, details?: Finding['details']) => findings.push(finding(code, details))
  const certificate = signerCertificate(signer, options.certificates)
  checkAlgorithms(signer, certificate, say)
  const contentIntact = signer.signedAttributes
    ? checkAttributes(signer, options, say)
    : checkBare(signer, options, say)
  if (certificate) checkBinding(signer, certificate, say)
  else say('signing-certificate-missing')
  const signatureIntact = certificate !== undefined && isIntact(signer, certificate, options.content)
  if (certificate && !signatureIntact) say('signature-wrong')
  return { certificate, contentIntact, signatureIntact, findings }
}

type Say = (code: FindingCode, details?: Finding['details']) => void

/**
 * The signer's certificate. Issuer and serial number can match several (a forged one is easily made), so the one that
 * the signing-certificate attribute hashes comes first.
 */
function signerCertificate(signer: SignerInfo, candidates: readonly Certificate[]): Certificate | undefined {
  const named = candidates.filter((certificate) => identifies(signer.identifier, certificate))
  return named.find((certificate) => bindingTo(signer, certificate) === 'bound') ?? named[0]
}

function checkAlgorithms(signer: SignerInfo, certificate: Certificate | undefined, say: Say): void {
  const { digest: name, digestOid, signatureAlgorithm, signatureOid } = signer
  if (!name) say('algorithm-unknown', { algorithm: digestOid })
  else if (!digestAlgorithms[name].sound) say('algorithm-weak', { algorithm: name })
  if (!signatureAlgorithm) say('algorithm-unknown', { algorithm: signatureOid })
  else if (!digestAlgorithms[signatureAlgorithm.digest].sound)
    say('algorithm-weak', { algorithm: signatureAlgorithm.name })
  // RFC 8933: one digest for content and attributes, so that a weaker one cannot be substituted. EdDSA has its own.
  if (signatureAlgorithm && !hashesItself(signatureAlgorithm) && name && signatureAlgorithm.digest !== name) {
    say('structure-malformed', { reason: `the digest is ${name}, but the signature is ${signatureAlgorithm.name}` })
  }
  const bits = certificate?.hasKnownKey ? tooFewBits(certificate.publicKey) : undefined
  if (bits !== undefined) say('key-too-short', { bits })
}

function checkAttributes(signer: SignerInfo, options: SignerCheckOptions, say: Say): boolean {
  for (const oid of single) {
    const attributes = attributesOf(signer.signedAttributes, oid)
    if (attributes.length > 1 || attributes.some(({ values }) => values.length !== 1)) {
      say('duplicate-attribute', { attribute: oid })
    }
  }
  checkContentType(signer, options.contentType, say)
  const [signedDigest] = valuesOf(signer.signedAttributes, attributeOids.messageDigest)
  if (signedDigest?.tag !== tags.octetString) {
    say('structure-malformed', { reason: 'there is no message-digest attribute' })
    return false
  }
  const actual = signer.digest && options.contentDigest(signer.digest)
  if (!actual) {
    if (signer.digest) say('content-missing')
    return false
  }
  const intact = signedDigest.content.equals(actual)
  if (!intact) say('content-changed')
  return intact
}

// RFC 5652 §11.1: the signed type must be that of the content, or the same bytes could be presented as another kind.
function checkContentType(signer: SignerInfo, expected: string | undefined, say: Say): void {
  const [signed] = valuesOf(signer.signedAttributes, attributeOids.contentType)
  const found = signed?.tag === tags.oid ? signed.oid() : undefined
  if (expected !== undefined && found !== expected) {
    say('structure-malformed', { reason: 'the content-type attribute does not name the type of the content' })
  }
}

/**
 * A signature without attributes is over the content itself. Content that looks like signed attributes is refused: it
 * may be the attributes of another signature, whose value would then fit (RFC 5652 §5.4 signs a bare SET OF).
 */
function checkBare(signer: SignerInfo, { content }: SignerCheckOptions, say: Say): boolean {
  say('signing-certificate-unprotected')
  if (!content) {
    say('content-missing')
    return false
  }
  if (looksLikeAttributes(content)) {
    say('structure-malformed', { reason: 'the content is a set of signed attributes' })
    return false
  }
  return signer.digest !== undefined
}

function looksLikeAttributes(content: Uint8Array): boolean {
  if (content[0] !== tags.set) return false
  try {
    return readDer(content)
      .members()
      .some((member) => member.sequence().next().oid() === attributeOids.messageDigest)
  } catch (error) {
    if (error instanceof EngineError) return false // Not DER at all, so no attributes.
    throw error
  }
}

function checkBinding(signer: SignerInfo, certificate: Certificate, say: Say): void {
  if (!signer.signedAttributes) return
  const binding = bindingTo(signer, certificate)
  if (binding === 'unbound') say('signing-certificate-unprotected')
  if (binding === 'mismatch') say('signing-certificate-mismatch')
}

/** Whether the signing-certificate attributes name this certificate; every one that is there must. */
function bindingTo(signer: SignerInfo, certificate: Certificate): 'bound' | 'unbound' | 'mismatch' {
  const v1 = valuesOf(signer.signedAttributes, attributeOids.signingCertificate)
  const v2 = valuesOf(signer.signedAttributes, attributeOids.signingCertificateV2)
  if (v1.length + v2.length === 0) return 'unbound'
  const matches =
    v1.every((value) => namesCertificate(value, certificate, 'sha1')) &&
    v2.every((value) => namesCertificate(value, certificate, 'sha256'))
  return matches ? 'bound' : 'mismatch'
}

// RFC 5035 §3: the first ESSCertID is that of the signer; the others are of the chain.
function namesCertificate(value: DerValue, certificate: Certificate, byDefault: DigestName): boolean {
  try {
    const first = value.sequence().next().sequence().next().sequence()
    const algorithm = first.optional(tags.sequence)
    const name = algorithm ? readDigestIdentifier(algorithm) : byDefault
    const hash = first.next().octets()
    const issuerSerial = first.optional(tags.sequence)
    if (!name || !hash.equals(digest(name, certificate.der))) return false
    return issuerSerial === undefined || namesIssuer(issuerSerial, certificate)
  } catch (error) {
    if (error instanceof EngineError) return false // An unreadable value names no certificate.
    throw error
  }
}

function namesIssuer(issuerSerial: DerValue, certificate: Certificate): boolean {
  const fields = issuerSerial.sequence()
  const names = fields.next().sequence().rest()
  const directory = names.filter(({ tag }) => tag === contextConstructed(4)).map((name) => name.unwrap().raw)
  return (
    directory.some((name) => new DistinguishedName(name).equals(certificate.issuer)) &&
    fields.next().integer().equals(certificate.serialNumber)
  )
}

function isIntact(signer: SignerInfo, certificate: Certificate, content: Uint8Array | undefined): boolean {
  const signed = signer.toBeSigned ?? content
  if (!signer.signatureAlgorithm || !signed || !certificate.hasKnownKey) return false
  return isSignedBy(certificate.publicKey, signer.signatureAlgorithm, signed, signer.signature)
}
