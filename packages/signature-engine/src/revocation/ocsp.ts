import type { DigestName, SignatureAlgorithm } from '../crypto/algorithms.ts'
import { digest, fingerprint } from '../crypto/digest.ts'
import { readDigestIdentifier, readSignatureIdentifier } from '../crypto/read-identifiers.ts'
import { type DerMembers, type DerValue, readDer } from '../der/der-value.ts'
import { enumerated, explicit, octetString, oid, sequence } from '../der/der-writer.ts'
import { contextConstructed, contextPrimitive, tags } from '../der/tags.ts'
import { EngineError } from '../errors/engine-error.ts'
import { Certificate } from '../x509/certificate.ts'
import { DistinguishedName } from '../x509/distinguished-name.ts'
import { readExtension } from '../x509/extensions.ts'
import { keyPurposes } from '../x509/oids.ts'
import { BoundedCache } from './bounded-cache.ts'
import { refuseRevocation } from './errors.ts'
import { OCSP_NONCE } from './ocsp-request.ts'
import { type Revocation, revocationReason } from './revocation-reasons.ts'

const BASIC_RESPONSE = '1.3.6.1.5.5.7.48.1.1'
const ARCHIVE_CUTOFF = '1.3.6.1.5.5.7.48.1.6'

/** OCSPResponseStatus (RFC 6960 §4.2.1). */
const statuses: Readonly<Record<number, string>> = {
  1: 'malformedRequest',
  2: 'internalError',
  3: 'tryLater',
  5: 'sigRequired',
  6: 'unauthorized',
}

/** The responder: by name, or by the SHA-1 of the key. */
export type ResponderId =
  | { readonly by: 'name'; readonly name: DistinguishedName }
  | { readonly by: 'key'; readonly keyHash: Buffer }

/** The status of one certificate. */
export interface OcspStatus {
  readonly state: 'good' | 'revoked' | 'unknown'
  readonly revocation: Revocation | null
  readonly thisUpdate: Date
  readonly nextUpdate: Date | null
  /** The responder keeps certificates that expired since then; null: it may have dropped an expired one. */
  readonly archiveCutoff: Date | null
}

interface SingleResponse extends OcspStatus {
  readonly hash: DigestName | undefined
  readonly issuerNameHash: Buffer
  readonly issuerKeyHash: Buffer
  readonly serialNumber: Buffer
}

/** A successful OCSP response, read once. */
export class OcspResponse {
  /** The OCSPResponse, as signatures contain it. */
  readonly der: Buffer
  readonly responder: ResponderId
  readonly producedAt: Date
  /** Certificates in the response. */
  readonly certificates: readonly Certificate[]
  /** The nonce itself; null when the responder gave none. */
  readonly nonce: Buffer | null
  readonly #data: Buffer
  readonly #algorithm: SignatureAlgorithm | undefined
  readonly #signature: Buffer
  readonly #responses: readonly SingleResponse[]
  readonly #signers = new Map<string, Certificate>()

  private constructor(der: Buffer) {
    const fields = readDer(basicResponseIn(der)).sequence()
    const data = fields.next(tags.sequence)
    this.der = der
    this.#data = data.raw
    this.#algorithm = readSignatureIdentifier(fields.next(tags.sequence))
    this.#signature = fields.next().bits()
    this.certificates = certificatesIn(fields.optional(contextConstructed(0)))
    const parts = data.sequence()
    parts.optional(contextConstructed(0))
    this.responder = responderId(parts.next())
    this.producedAt = parts.next().time()
    this.#responses = parts.next(tags.sequence).members().map(singleResponse)
    const extensions = extensionsIn(parts.optional(contextConstructed(1)))
    this.nonce = nonceIn(extensions.get(OCSP_NONCE))
  }

  /**
   * Reads a response; an unsuccessful one is refused, with its status. The same bytes return the same object while it
   * is cached: signatures repeat the same answers, and verifying them is costly.
   */
  static read(der: Uint8Array): OcspResponse {
    const key = fingerprint(der)
    const known = remembered.get(key)
    if (known) return known
    const response = explained(() => new OcspResponse(Buffer.from(der)))
    remembered.set(key, response, der.length)
    return response
  }

  /** The status of this certificate; undefined when the response does not contain it. */
  statusOf(certificate: Certificate, issuer: Certificate): OcspStatus | undefined {
    return this.#responses.find((response) => isAbout(response, certificate, issuer))
  }

  /**
   * The signer, if it may answer for this issuer (RFC 6960 §4.2.2.2): the issuer itself, or a certificate with
   * id-kp-OCSPSigning that the issuer itself issued. Undefined otherwise. The result is cached.
   */
  signerFor(issuer: Certificate): Certificate | undefined {
    const known = this.#signers.get(issuer.keyedFingerprint)
    if (known) return known
    const delegated = this.certificates.map((certificate) => certificate.under(issuer))
    const signer = [issuer, ...delegated].find(
      (candidate) =>
        this.#names(candidate) &&
        mayAnswerFor(candidate, issuer) &&
        candidate.signed(this.#data, this.#algorithm, this.#signature),
    )
    if (signer) this.#signers.set(issuer.keyedFingerprint, signer)
    return signer
  }

  #names(candidate: Certificate): boolean {
    return this.responder.by === 'name'
      ? this.responder.name.equals(candidate.subject)
      : this.responder.keyHash.equals(candidate.keyHash('sha1'))
  }
}

/** The BasicOCSPResponse inside an OCSPResponse, as CMS revocation values require it. */
export const basicOcspResponse = (ocspResponse: Uint8Array): Buffer => explained(() => basicResponseIn(ocspResponse))

/** Wraps a BasicOCSPResponse in an OCSPResponse. */
export const ocspResponseFromBasic = (basic: Uint8Array): Buffer =>
  sequence(enumerated(0), explicit(0, sequence(oid(BASIC_RESPONSE), octetString(basic))))

/** The identity of a response, for CompleteRevocationRefs. */
export function ocspIdentity(ocspResponse: Uint8Array): { responder: ResponderId; producedAt: Date } {
  const { responder, producedAt } = OcspResponse.read(ocspResponse)
  return { responder, producedAt }
}

function basicResponseIn(ocspResponse: Uint8Array): Buffer {
  const outer = readDer(ocspResponse).sequence()
  const status = outer.next(tags.enumerated).smallInteger()
  if (status !== 0) throw refuseRevocation('revocation.ocsp-refused', { status: statuses[status] ?? status })
  const bytes = outer.next(contextConstructed(0)).unwrap().sequence()
  const type = bytes.next()
  if (type.oid() !== BASIC_RESPONSE) throw type.bad('basic OCSP response')
  return bytes.next().octets()
}

const certificatesIn = (tagged: DerValue | undefined): Certificate[] =>
  (tagged?.unwrap().expect(tags.sequence).members() ?? []).map(({ raw }) => Certificate.read(raw))

function responderId(value: DerValue): ResponderId {
  if (value.tag !== contextConstructed(1)) {
    return { by: 'key', keyHash: value.expect(contextConstructed(2)).unwrap().octets() }
  }
  const name = new DistinguishedName(value.unwrap().expect(tags.sequence).raw)
  void name.attributes // errors of the name are reported now
  return { by: 'name', name }
}

/** The extensions by OID; an unknown critical one forbids use of the answer. */
function extensionsIn(tagged: DerValue | undefined): Map<string, Buffer> {
  const extensions = (tagged?.unwrap().expect(tags.sequence).members() ?? []).map(readExtension)
  const unknown = extensions.find(([id, { critical }]) => critical && id !== OCSP_NONCE && id !== ARCHIVE_CUTOFF)
  if (unknown) throw refuseRevocation('revocation.unknown-critical', { oid: unknown[0] })
  return new Map(extensions.map(([id, { value }]) => [id, value]))
}

// RFC 8954 §2.1 wraps the nonce in an OCTET STRING; older responders echo bare bytes.
function nonceIn(value: Buffer | undefined): Buffer | null {
  if (!value) return null
  return value[0] === tags.octetString && value[1] === value.length - 2 ? value.subarray(2) : value
}

function singleResponse(value: DerValue): SingleResponse {
  const fields = value.sequence()
  const id = fields.next().sequence()
  const hash = readDigestIdentifier(id.next())
  const identity = {
    hash,
    issuerNameHash: id.next().octets(),
    issuerKeyHash: id.next().octets(),
    serialNumber: id.next().integer(),
  }
  const status = certificateStatus(fields.next())
  const thisUpdate = fields.next().time()
  const nextUpdate = fields.optional(contextConstructed(0))?.unwrap().time() ?? null
  const cutoff = extensionsIn(fields.optional(contextConstructed(1))).get(ARCHIVE_CUTOFF)
  return { ...identity, ...status, thisUpdate, nextUpdate, archiveCutoff: cutoff ? readDer(cutoff).time() : null }
}

function certificateStatus(value: DerValue): Pick<OcspStatus, 'state' | 'revocation'> {
  if (value.tag === contextPrimitive(0)) return { state: 'good', revocation: null }
  if (value.tag === contextPrimitive(2)) return { state: 'unknown', revocation: null }
  return { state: 'revoked', revocation: revokedInfo(value.expect(contextConstructed(1)).inside()) }
}

function revokedInfo(fields: DerMembers): Revocation {
  const at = fields.next().time()
  const reason = fields.optional(contextConstructed(0))?.unwrap().smallInteger() ?? 0
  return { at, reason: revocationReason(reason) }
}

const isAbout = (response: SingleResponse, certificate: Certificate, issuer: Certificate): boolean =>
  response.hash !== undefined &&
  response.serialNumber.equals(certificate.serialNumber) &&
  namesHashed(certificate, issuer).some((name) => response.issuerNameHash.equals(digest(response.hash!, name))) &&
  response.issuerKeyHash.equals(issuer.keyHash(response.hash))

// RFC 6960 §4.1.1 has the name as the certificate spells it; our own requests, and others, have the issuer's spelling.
const namesHashed = (certificate: Certificate, issuer: Certificate): readonly Buffer[] =>
  issuer.subject.der.equals(certificate.issuer.der)
    ? [certificate.issuer.der]
    : [certificate.issuer.der, issuer.subject.der]

const mayAnswerFor = (candidate: Certificate, issuer: Certificate): boolean =>
  candidate === issuer ||
  candidate.fingerprint === issuer.fingerprint ||
  ((candidate.extensions.extendedKeyUsage?.includes(keyPurposes.ocspSigning) ?? false) &&
    candidate.issuer.equals(issuer.subject) &&
    issuer.issued(candidate))

function explained<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof EngineError) || error.code.startsWith('revocation.')) throw error
    throw refuseRevocation('revocation.malformed-ocsp', { reason: error.message }, error)
  }
}

const MAX_REMEMBERED_BYTES = 16 * 1024 * 1024
const remembered = new BoundedCache<OcspResponse>(MAX_REMEMBERED_BYTES)
