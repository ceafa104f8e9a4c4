import {
  constants,
  createPublicKey,
  diffieHellman,
  type KeyObject,
  privateDecrypt,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { digestByOid } from '../crypto/algorithms.ts'
import type { DerMembers, DerValue } from '../der/der-value.ts'
import { bitString, sequence, oid as writeOid } from '../der/der-writer.ts'
import { contextConstructed, contextPrimitive, tags } from '../der/tags.ts'
import type { Certificate } from '../x509/certificate.ts'
import { DistinguishedName } from '../x509/distinguished-name.ts'
import { agreementHashes, EC_PUBLIC_KEY, MGF1, RSA_ENCRYPTION, RSAES_OAEP, wrapKeyBytes } from './algorithms.ts'
import { malformed, refuseEnvelope, unsupported } from './errors.ts'
import { unwrapKey, wrappingKey } from './key-agreement.ts'

/** The key that opens; with its certificate the recipient is found by name, without it every one is tried. */
export interface OpeningKey {
  readonly privateKey: KeyObject
  readonly certificate?: Certificate
}

/** The content key, from the recipient information for this key. */
export function contentKeyFor(recipients: DerValue, key: OpeningKey, keyBytes: number): Buffer {
  const attempts = recipients
    .members()
    .flatMap((info) => attemptsOn(info, key, keyBytes))
    .filter(({ kind }) => kind === key.privateKey.asymmetricKeyType)
  // Addressed to this certificate but not decryptable: it was changed.
  const addressed = key.certificate !== undefined && attempts.length > 0
  let problem: unknown = refuseEnvelope(addressed ? 'envelope.tampered' : 'envelope.no-recipient')
  for (const { open } of attempts) {
    try {
      const contentKey = open()
      if (contentKey?.length === keyBytes) return contentKey
    } catch (error) {
      problem = error // another recipient may match; if none does, this is the problem
    }
  }
  throw problem
}

interface Attempt {
  readonly kind: 'rsa' | 'ec'
  /** The content key; undefined when it is encrypted for another recipient. */
  readonly open: () => Buffer | undefined
}

/** RecipientInfo is a choice: SEQUENCE is transport, [1] agreement; passwords and shared keys are not supported. */
function attemptsOn(info: DerValue, key: OpeningKey, keyBytes: number): Attempt[] {
  if (info.tag === tags.sequence) return transportAttempts(info, key, keyBytes)
  if (info.tag === contextConstructed(1)) return agreementAttempts(info, key)
  return []
}

function transportAttempts(info: DerValue, { privateKey, certificate }: OpeningKey, keyBytes: number): Attempt[] {
  const fields = info.sequence()
  const version = fields.next()
  const identifier = fields.next()
  // RFC 5652 §6.2.1.
  requireVersion(version, identifier.tag === contextPrimitive(0) ? 2 : 0)
  if (!isFor(identifier, certificate)) return []
  const algorithm = fields.next(tags.sequence)
  const encrypted = fields.next().octets()
  fields.end()
  return [{ kind: 'rsa', open: () => openTransported(algorithm, encrypted, privateKey, keyBytes) }]
}

function openTransported(
  identifier: DerValue,
  encrypted: Buffer,
  key: KeyObject,
  keyBytes: number,
): Buffer | undefined {
  const algorithm = identifier.sequence()
  const name = algorithm.next().oid()
  if (name === RSA_ENCRYPTION) return openPkcs1(encrypted, key, keyBytes)
  if (name !== RSAES_OAEP) throw unsupported(`the key transport ${name}`)
  const oaepHash = oaepHashOf(algorithm)
  try {
    return privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash }, encrypted)
  } catch {
    return undefined // for another key, or changed: OAEP fails the same way for both
  }
}

/** RSAES-OAEP-params of RFC 4055 §4.1; the defaults are SHA-1. */
function oaepHashOf(algorithm: DerMembers): string {
  if (algorithm.done) return 'sha1'
  const fields = algorithm.next().sequence()
  const hash = hashOf(fields.optional(contextConstructed(0))?.unwrap())
  const mask = fields.optional(contextConstructed(1))?.unwrap().sequence()
  if (mask && mask.next().oid() !== MGF1) throw unsupported('a mask generation of its own')
  // Node's OpenSSL API uses one hash for both.
  if (hashOf(mask?.next()) !== hash) throw unsupported('OAEP with two different hashes')
  if (fields.optional(contextConstructed(2))) throw unsupported('OAEP with a label')
  return hash
}

function hashOf(identifier: DerValue | undefined): string {
  if (!identifier) return 'sha1'
  const fields = identifier.sequence()
  const oid = fields.next().oid()
  const hash = digestByOid(oid)
  if (!hash) throw unsupported(`the hash ${oid}`)
  if (!fields.done) fields.next(tags.null) // RFC 4055 §2.1: NULL or nothing
  fields.end()
  return hash
}

/**
 * PKCS#1 v1.5 by hand, because Node refuses it: its plain form reveals to an attacker by the error whether the padding
 * was right (Bleichenbacher). RFC 3218 §2.3.2: on bad padding a random key is used instead, so that the content fails
 * to authenticate just as for any other wrong key.
 */
function openPkcs1(encrypted: Buffer, key: KeyObject, keyBytes: number): Buffer | undefined {
  const size = (key.asymmetricKeyDetails?.modulusLength ?? 0) / 8
  if (encrypted.length !== size) return undefined
  let block: Buffer
  try {
    block = privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, encrypted)
  } catch {
    return undefined // a number beyond the modulus: made for another key
  }
  const substitute = randomBytes(keyBytes)
  const separator = size - keyBytes - 1
  const frame = Buffer.of(block[0]!, block[1]!, block[separator]!)
  let noZeroBefore = 1
  for (let at = 2; at < separator; at++) noZeroBefore &= block[at] === 0 ? 0 : 1
  const right = Number(timingSafeEqual(frame, Buffer.of(0, 2, 0))) & noZeroBefore
  const mask = -right & 0xff
  const chosen = Buffer.alloc(keyBytes)
  for (let at = 0; at < keyBytes; at++) {
    chosen[at] = (block[separator + 1 + at]! & mask) | (substitute[at]! & ~mask)
  }
  block.fill(0)
  return chosen
}

/** KeyAgreeRecipientInfo of RFC 5652 §6.2.2. */
function agreementAttempts(info: DerValue, { privateKey, certificate }: OpeningKey): Attempt[] {
  const fields = info.inside()
  requireVersion(fields.next(), 3)
  const originator = fields.next(contextConstructed(0)).unwrap()
  const material = fields.optional(contextConstructed(1))?.unwrap().octets()
  const [scheme, wrap] = fields.next().sequence().rest()
  return fields
    .next(tags.sequence)
    .members()
    .flatMap((recipient): Attempt[] => {
      const parts = recipient.sequence()
      if (!isFor(parts.next(), certificate)) return []
      const wrapped = parts.next().octets()
      return [{ kind: 'ec', open: () => openAgreed({ originator, material, scheme, wrap, wrapped }, privateKey) }]
    })
}

interface Agreement {
  readonly originator: DerValue
  readonly material: Buffer | undefined
  readonly scheme: DerValue | undefined
  readonly wrap: DerValue | undefined
  readonly wrapped: Buffer
}

function openAgreed({ originator, material, scheme, wrap, wrapped }: Agreement, key: KeyObject): Buffer | undefined {
  if (!scheme || !wrap) throw malformed('a key agreement without algorithm')
  const hash = agreementHashes[scheme.oid()]
  if (!hash) throw unsupported(`the key agreement ${scheme.oid()}`)
  const wrapOid = wrap.sequence().next().oid()
  const wrappingBytes = wrapKeyBytes[wrapOid]
  if (!wrappingBytes) throw unsupported(`the key wrap ${wrapOid}`)
  if (originator.tag !== contextConstructed(1)) throw unsupported('a key agreement without ephemeral key')
  const publicKey = onCurveOf(key, originator)
  const secret = diffieHellman({ privateKey: key, publicKey })
  const wrapping = wrappingKey(secret, hash, wrap.raw, wrappingBytes, material)
  secret.fill(0)
  const contentKey = unwrapKey(wrapping, wrapped)
  wrapping.fill(0)
  return contentKey
}

/** The sender's point, always on the recipient's own curve; OpenSSL refuses points that are not on it. */
function onCurveOf(key: KeyObject, originator: DerValue): KeyObject {
  const fields = originator.inside()
  if (fields.next().sequence().next().oid() !== EC_PUBLIC_KEY) throw malformed('a sender’s key that is not on a curve')
  const point = fields.next().bits()
  // Compressed or not; the hybrid form is in no standard of CMS.
  if (![2, 3, 4].includes(point[0] ?? 0)) throw malformed('a sender’s key of no proper form')
  const curve = curveOids[key.asymmetricKeyDetails?.namedCurve ?? '']
  if (!curve) throw unsupported(`the curve ${key.asymmetricKeyDetails?.namedCurve}`)
  const spki = sequence(sequence(writeOid(EC_PUBLIC_KEY), writeOid(curve)), bitString(point))
  try {
    return createPublicKey({ key: spki, format: 'der', type: 'spki' })
  } catch (error) {
    throw malformed('the sender’s key is no point of the curve', error)
  }
}

function requireVersion(value: DerValue, expected: number): void {
  if (value.expect(tags.integer).smallInteger() !== expected) throw malformed('a recipient of an unknown version')
}

const curveOids: Readonly<Record<string, string>> = {
  prime256v1: '1.2.840.10045.3.1.7',
  secp384r1: '1.3.132.0.34',
  secp521r1: '1.3.132.0.35',
}

/** RecipientIdentifier: issuer and serial number, or `[0]` the key identifier. */
function isFor(identifier: DerValue, certificate: Certificate | undefined): boolean {
  if (!certificate) return true
  if (identifier.tag === contextPrimitive(0)) {
    return certificate.extensions.subjectKeyIdentifier?.equals(identifier.content) ?? false
  }
  // Key agreement wraps its key identifier once more: RecipientKeyIdentifier.
  if (identifier.tag === contextConstructed(0)) {
    return certificate.extensions.subjectKeyIdentifier?.equals(identifier.inside().next().octets()) ?? false
  }
  const fields = identifier.sequence()
  const [issuer, serialNumber] = [fields.next(), fields.next().integer()]
  return serialNumber.equals(certificate.serialNumber) && new DistinguishedName(issuer.raw).equals(certificate.issuer)
}
