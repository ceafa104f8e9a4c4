import { createPublicKey, type KeyObject } from 'node:crypto'
import type { DigestName, KeyType, SignatureAlgorithm } from '../crypto/algorithms.ts'
import { keyBitsOf, keyTypeOf } from '../crypto/curves.ts'
import { digest, fingerprint } from '../crypto/digest.ts'
import { dsaParameters, leavesDsaParametersOut, withDsaParameters } from '../crypto/dsa-parameters.ts'
import { readSignatureIdentifier } from '../crypto/read-identifiers.ts'
import { isSignedBy } from '../crypto/verify-signature.ts'
import { type DerValue, readDer } from '../der/der-value.ts'
import { contextConstructed, contextPrimitive, tags } from '../der/tags.ts'
import { requireArguments } from '../errors/arguments.ts'
import { EngineError } from '../errors/engine-error.ts'
import { DistinguishedName } from './distinguished-name.ts'
import { refuseCertificate } from './errors.ts'
import { readExtensions, type StandardExtensions } from './extensions.ts'

/** Larger than any certificate in use (a few kilobytes), small enough to be harmless. */
const MAX_CERTIFICATE_BYTES = 256 * 1024

/** An X.509 certificate, parsed once: its bytes are kept, and costly values are computed on demand. */
export class Certificate {
  readonly der: Buffer
  /** What the issuer signed. */
  readonly tbs: Buffer
  readonly version: number
  /** Content of the serial number's INTEGER, with its leading zero if it has one. */
  readonly serialNumber: Buffer
  readonly issuer: DistinguishedName
  readonly subject: DistinguishedName
  readonly notBefore: Date
  readonly notAfter: Date
  /** SubjectPublicKeyInfo, with the parameters the key has from its issuer's (`under`). */
  readonly publicKeyInfo: Buffer
  /** Whether the key is not known without its issuer's, because it has no parameters (RFC 3279 §2.3.2). */
  readonly needsParameters: boolean
  /** The key alone, without its algorithm. */
  readonly publicKeyBits: Buffer
  readonly extensions: StandardExtensions
  /** Undefined when the issuer signed with an algorithm the engine does not know. */
  readonly signatureAlgorithm: SignatureAlgorithm | undefined
  readonly signature: Buffer
  #publicKey: KeyObject | undefined
  #fingerprint: string | undefined
  #verifiedUnder = new Set<string>()
  /** DSA parameters that the key takes from its issuer's, of which it depends. */
  readonly #inherited: Buffer | undefined
  readonly #inheriting = new Map<string, Certificate>()

  private constructor(value: DerValue, inherited?: Buffer) {
    const outer = value.sequence()
    const tbs = outer.next(tags.sequence)
    const algorithm = outer.next(tags.sequence)
    const signature = outer.next(tags.bitString)
    outer.end()
    const fields = tbs.sequence()
    this.der = value.raw
    this.tbs = tbs.raw
    this.version = (fields.optional(contextConstructed(0))?.unwrap().smallInteger() ?? 0) + 1
    this.serialNumber = fields.next().integer()
    requireSameAlgorithm(fields.next(tags.sequence), algorithm)
    this.issuer = new DistinguishedName(fields.next(tags.sequence).raw)
    const validity = fields.next().sequence()
    this.notBefore = validity.next().time()
    this.notAfter = validity.next().time()
    this.subject = new DistinguishedName(fields.next(tags.sequence).raw)
    const publicKeyInfo = fields.next(tags.sequence)
    this.#inherited = inherited
    this.needsParameters = !inherited && leavesDsaParametersOut(publicKeyInfo)
    this.publicKeyInfo = (inherited ? withDsaParameters(publicKeyInfo, inherited) : publicKeyInfo).raw
    this.publicKeyBits = publicKeyBitsOf(publicKeyInfo)
    fields.optional(contextPrimitive(1))
    fields.optional(contextPrimitive(2))
    this.extensions = readExtensions(fields.optional(contextConstructed(3)))
    fields.end()
    this.signatureAlgorithm = readSignatureIdentifier(algorithm)
    this.signature = signature.bits()
  }

  /** Reads a certificate. The same bytes return the same object while it is cached: keys are parsed once. */
  static read(der: Uint8Array): Certificate {
    requireArguments('Certificate.read', { der: [der, 'bytes'] })
    const known = remembered.get(fingerprint(der))
    if (known) return known
    const certificate = Certificate.#parse(Buffer.from(der))
    remember(certificate)
    return certificate
  }

  static #parse(der: Buffer): Certificate {
    if (der.length > MAX_CERTIFICATE_BYTES) throw refuseCertificate('certificate.malformed', { reason: 'too large' })
    try {
      const certificate = new Certificate(readDer(der))
      // Names are parsed later; their errors are reported now.
      void certificate.subject.attributes
      void certificate.issuer.attributes
      return certificate
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      throw refuseCertificate('certificate.malformed', { reason: error.message }, error)
    }
  }

  /** SHA-256 of the certificate, in hexadecimal. */
  get fingerprint(): string {
    this.#fingerprint ??= fingerprint(this.der)
    return this.#fingerprint
  }

  /** Of the certificate and its key, which another issuer may give other parameters: what is verified is kept by it. */
  get keyedFingerprint(): string {
    return this.#inherited ? `${this.fingerprint} ${fingerprint(this.#inherited)}` : this.fingerprint
  }

  /**
   * The certificate with the key it has under this issuer (RFC 5280 §6.1.4 d, e): with the parameters of the issuer's
   * key where it has none of its own. Itself where it needs none, or the issuer has none.
   */
  under(issuer: Certificate): Certificate {
    const parameters = this.needsParameters ? dsaParameters(issuer.publicKeyInfo) : undefined
    if (!parameters) return this
    const key = fingerprint(parameters)
    const known = this.#inheriting.get(key)
    if (known) return known
    const inheriting = new Certificate(readDer(this.der), parameters)
    if (this.#inheriting.size >= MAX_INHERITING) this.#inheriting.clear()
    this.#inheriting.set(key, inheriting)
    return inheriting
  }

  /** Whether the key has the parameters it would have under this issuer: another issuer's make another key. */
  hasKeyUnder(issuer: Certificate): boolean {
    return this.#inherited === undefined || dsaParameters(issuer.publicKeyInfo)?.equals(this.#inherited) === true
  }

  /** Serial number in hexadecimal, upper case, without leading zeros. */
  get serialNumberHex(): string {
    return this.serialNumber
      .toString('hex')
      .toUpperCase()
      .replace(/^(00)+(?=.)/, '')
  }

  /** Serial number as a decimal number, as XML signatures write it. */
  get serialNumberDecimal(): string {
    return BigInt.asIntN(this.serialNumber.length * 8, BigInt(`0x${this.serialNumber.toString('hex')}`)).toString()
  }

  get publicKey(): KeyObject {
    this.#publicKey ??= importKey(this.publicKeyInfo)
    return this.#publicKey
  }

  /** Undefined for unsupported kinds of keys (X25519 …). */
  get keyType(): KeyType | undefined {
    return keyTypeOf(this.publicKey)
  }

  /** Bits of a modulus, or of an elliptic curve's order; undefined for a curve whose order is not known here. */
  get keyBits(): number | undefined {
    return keyBitsOf(this.publicKey)
  }

  get namedCurve(): string | undefined {
    return this.publicKey.asymmetricKeyDetails?.namedCurve
  }

  /** The digest (default SHA-1) of the public key's bits: identifies a key in OCSP and key identifiers. */
  keyHash(algorithm: DigestName = 'sha1'): Buffer {
    return digest(algorithm, this.publicKeyBits)
  }

  get selfIssued(): boolean {
    return this.subject.equals(this.issuer)
  }

  /** Whether this key signed that certificate. The result is cached: chains repeat. */
  issued(certificate: Certificate): boolean {
    if (certificate.#verifiedUnder.has(this.keyedFingerprint)) return true
    if (!this.signed(certificate.tbs, certificate.signatureAlgorithm, certificate.signature)) return false
    certificate.#verifiedUnder.add(this.keyedFingerprint)
    return true
  }

  /** Whether this key made that signature; false for an unknown key or algorithm. */
  signed(bytes: Uint8Array, algorithm: SignatureAlgorithm | undefined, signature: Uint8Array): boolean {
    return algorithm !== undefined && this.hasKnownKey && isSignedBy(this.publicKey, algorithm, bytes, signature)
  }

  /** Whether the public key is of a supported kind; otherwise `publicKey` is refused. */
  get hasKnownKey(): boolean {
    try {
      return this.keyType !== undefined
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      return false
    }
  }

  validAt(time: Date): boolean {
    return this.notBefore <= time && time <= this.notAfter
  }
}

function publicKeyBitsOf(publicKeyInfo: DerValue): Buffer {
  const fields = publicKeyInfo.sequence()
  fields.next(tags.sequence)
  return fields.next().bits()
}

function importKey(publicKeyInfo: Buffer): KeyObject {
  try {
    return createPublicKey({ key: publicKeyInfo, format: 'der', type: 'spki' })
  } catch (error) {
    throw refuseCertificate('certificate.key-unsupported', undefined, error)
  }
}

/** An authority has one set of parameters, or a few; a forger may invent many. */
const MAX_INHERITING = 8

/** RFC 5280 §4.1.1.2, §5.1.1.2: the algorithm occurs twice, and only the inner one is signed; both must be equal. */
export function requireSameAlgorithm(inside: DerValue, outside: DerValue): void {
  if (!inside.raw.equals(outside.raw)) throw outside.bad('repetition of the signature algorithm')
}

// The same issuers repeat with every signature. Limited; the oldest is dropped first.
const MAX_REMEMBERED = 2_048
const remembered = new Map<string, Certificate>()

function remember(certificate: Certificate): void {
  if (remembered.size >= MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!)
  remembered.set(certificate.fingerprint, certificate)
}
