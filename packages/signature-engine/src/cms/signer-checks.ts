import { type DigestName, digestAlgorithms, hashesItself } from '../crypto/algorithms.ts'
import { digest } from '../crypto/digest.ts'
import { readDigestIdentifier } from '../crypto/read-identifiers.ts'
import { type DerValue, readDer } from '../der/der-value.ts'
import { contextConstructed, tags } from '../der/tags.ts'
import { EngineError } from '../errors/engine-error.ts'
import {
  type Check,
  digestCheck,
  failed,
  type IntegrityReport,
  isPassed,
  notChecked,
  passed,
  signatureCheck,
  type UncheckedReason,
  worstCheck,
} from '../report/check.ts'
import { keyFindings } from '../report/part-findings.ts'
import { type Finding, type FindingCode, finding } from '../report/report.ts'
import type { Certificate } from '../x509/certificate.ts'
import { DistinguishedName } from '../x509/distinguished-name.ts'
import { keyedAmong } from '../x509/inherited-parameters.ts'
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
  readonly integrity: IntegrityReport
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
  const found = signer.signedAttributes ? checkAttributes(signer, options, say) : checkBare(options, say)
  if (!certificate) say('signing-certificate-missing')
  const certificateBinding = certificate ? checkBinding(signer, certificate, say) : notChecked('certificate-missing')
  const signature = signatureCheck({
    certificate,
    algorithm: signer.signatureAlgorithm,
    value: signer.signature,
    signed: () => signer.toBeSigned ?? options.content,
  })
  if (signature.state === 'failed') say('signature-wrong')
  // Without a digest of its own the content is what the signature is over.
  const content = found ?? (isPassed(signature) ? passed : notChecked('digest-absent'))
  return { certificate, integrity: { content, signature, certificateBinding }, findings }
}

type Say = (code: FindingCode, details?: Finding['details']) => void

/**
 * The signer's certificate. Issuer and serial number can match several (a forged one is easily made), so the one that
 * the signing-certificate attribute hashes comes first.
 */
function signerCertificate(signer: SignerInfo, candidates: readonly Certificate[]): Certificate | undefined {
  const named = candidates.filter((certificate) => identifies(signer.identifier, certificate))
  const found = named.find((certificate) => isPassed(bindingTo(signer, certificate))) ?? named[0]
  return found && keyedAmong(found, candidates)
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
  if (certificate) for (const { code, details } of keyFindings(certificate)) say(code, details)
}

function checkAttributes(signer: SignerInfo, options: SignerCheckOptions, say: Say): Check {
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
    return notChecked('structure-malformed')
  }
  const content = digestCheck(signer.digest, signedDigest.content, () => options.contentDigest(signer.digest!))
  if (content.state === 'failed') say('content-changed')
  if (content.state === 'not-checked' && content.reason === 'content-missing') say('content-missing')
  return content
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
function checkBare({ content }: SignerCheckOptions, say: Say): Check | undefined {
  say('signing-certificate-unprotected')
  if (!content) {
    say('content-missing')
    return notChecked('content-missing')
  }
  if (!looksLikeAttributes(content)) return undefined
  say('structure-malformed', { reason: 'the content is a set of signed attributes' })
  return notChecked('content-ambiguous')
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

function checkBinding(signer: SignerInfo, certificate: Certificate, say: Say): Check {
  const binding = bindingTo(signer, certificate)
  if (binding.state === 'failed') say('signing-certificate-mismatch')
  if (binding.state === 'not-checked' && signer.signedAttributes) unboundFindings[binding.reason]?.(say)
  return binding
}

const unboundFindings: Readonly<Partial<Record<UncheckedReason, (say: Say) => void>>> = {
  'certificate-unnamed': (say) => say('signing-certificate-unprotected'),
  'algorithm-unknown': (say) => say('algorithm-unknown', { algorithm: 'the digest of the signing certificate' }),
  'structure-malformed': (say) => say('structure-malformed', { reason: 'the signing-certificate attribute' }),
}

/** Whether the signing-certificate attributes name this certificate; every one that is there must. */
function bindingTo(signer: SignerInfo, certificate: Certificate): Check {
  const v1 = valuesOf(signer.signedAttributes, attributeOids.signingCertificate)
  const v2 = valuesOf(signer.signedAttributes, attributeOids.signingCertificateV2)
  if (v1.length + v2.length === 0) return notChecked('certificate-unnamed')
  return worstCheck([
    ...v1.map((value) => namesCertificate(value, certificate, 'sha1')),
    ...v2.map((value) => namesCertificate(value, certificate, 'sha256')),
  ])
}

// RFC 5035 §3: the first ESSCertID is that of the signer; the others are of the chain.
function namesCertificate(value: DerValue, certificate: Certificate, byDefault: DigestName): Check {
  try {
    const first = value.sequence().next().sequence().next().sequence()
    const algorithm = first.optional(tags.sequence)
    const name = algorithm ? readDigestIdentifier(algorithm) : byDefault
    const hash = first.next().octets()
    const issuerSerial = first.optional(tags.sequence)
    if (issuerSerial && !namesIssuer(issuerSerial, certificate)) return failed
    return digestCheck(name, hash, () => digest(name!, certificate.der))
  } catch (error) {
    if (error instanceof EngineError) return notChecked('structure-malformed')
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
