import { constants, createPublicKey, diffieHellman, generateKeyPairSync, publicEncrypt } from 'node:crypto'
import { readDer } from '../der/der-value.ts'
import { bitString, type Der, explicit, implicit, integer, octetString, oid, sequence, tlv } from '../der/der-writer.ts'
import { requireArguments } from '../errors/arguments.ts'
import type { Certificate } from '../x509/certificate.ts'
import { aes256Wrap, agreementByCurve, EC_PUBLIC_KEY, oaepWithSha256, rsaPkcs1 } from './algorithms.ts'
import { refuseEnvelope } from './errors.ts'
import { wrapKey, wrappingKey } from './key-agreement.ts'

/** How the content key is encrypted for RSA recipients. */
export type RsaPadding = 'oaep' | 'pkcs1v15'

export interface RecipientWarning {
  readonly code: 'recipient.signature-only' | 'recipient.not-yet-valid' | 'recipient.expired'
  readonly recipient: string
}

const MIN_RSA_BITS = 2048

/** Problems of these recipients, as data: a readiness check asks long before anything is encrypted. */
export function recipientWarnings(recipients: readonly Certificate[], now: Date): RecipientWarning[] {
  requireArguments('recipientWarnings', { recipients: [recipients, 'certificates'], now: [now, 'moment'] })
  return recipients.flatMap((certificate) => {
    const recipient = nameOf(certificate)
    const warnings: RecipientWarning[] = []
    if (!mayReceive(certificate)) warnings.push({ code: 'recipient.signature-only', recipient })
    if (now < certificate.notBefore) warnings.push({ code: 'recipient.not-yet-valid', recipient })
    if (now > certificate.notAfter) warnings.push({ code: 'recipient.expired', recipient })
    return warnings
  })
}

/** RFC 5280 §4.2.1.3: keyEncipherment for RSA, keyAgreement for elliptic curves. */
function mayReceive({ keyType, extensions: { keyUsage } }: Certificate): boolean {
  return keyUsage === undefined || keyUsage.has(keyType === 'rsa' ? 'keyEncipherment' : 'keyAgreement')
}

/** RecipientInfo (RFC 5652 §6.2): the content key, encrypted for one recipient. */
export function recipientInfo(certificate: Certificate, contentKey: Uint8Array, padding: RsaPadding): Der {
  requireUsable(certificate)
  return certificate.keyType === 'rsa' ? transported(certificate, contentKey, padding) : agreed(certificate, contentKey)
}

function requireUsable(certificate: Certificate): void {
  const unusable = (reason: string) =>
    refuseEnvelope('envelope.recipient-unusable', { recipient: nameOf(certificate), reason })
  const { keyType, keyBits, namedCurve } = certificate
  if (keyType === 'rsa' && certificate.publicKey.asymmetricKeyType !== 'rsa') throw unusable('its RSA key only signs')
  if (keyType === 'rsa' && keyBits! < MIN_RSA_BITS) throw unusable(`an RSA key of ${keyBits} bits`)
  if (keyType === 'ec' && !agreementByCurve[namedCurve ?? '']) throw unusable(`the curve ${namedCurve}`)
  if (keyType !== 'rsa' && keyType !== 'ec') throw unusable('a kind of key that only signs')
}

/** KeyTransRecipientInfo. */
function transported(certificate: Certificate, contentKey: Uint8Array, padding: RsaPadding): Der {
  const { algorithm, options } = rsaPaddings[padding]
  const encrypted = publicEncrypt({ key: certificate.publicKey, ...options }, contentKey)
  return sequence(integer(0), issuerAndSerialNumber(certificate), algorithm, octetString(encrypted))
}

const rsaPaddings = {
  oaep: {
    algorithm: oaepWithSha256,
    options: { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
  },
  pkcs1v15: { algorithm: rsaPkcs1, options: { padding: constants.RSA_PKCS1_PADDING } },
} as const

/** KeyAgreeRecipientInfo with a new ephemeral key (RFC 5753 §3.1.1). */
function agreed(certificate: Certificate, contentKey: Uint8Array): Der {
  const { scheme, hash } = agreementByCurve[certificate.namedCurve!]!
  const ephemeral = generateKeyPairSync('ec', { namedCurve: certificate.namedCurve! })
  const secret = diffieHellman({ privateKey: ephemeral.privateKey, publicKey: certificate.publicKey })
  const wrapping = wrappingKey(secret, hash, aes256Wrap, 32)
  const wrapped = wrapKey(wrapping, contentKey)
  secret.fill(0)
  wrapping.fill(0)
  const spki = createPublicKey(ephemeral.privateKey).export({ type: 'spki', format: 'der' })
  const point = readDer(spki).members()[1]!.bits()
  // RFC 5753 §3.1.1: the parameters are absent, the recipient's certificate names the curve.
  const originatorKey = implicit(1, sequence(sequence(oid(EC_PUBLIC_KEY)), bitString(point)))
  const recipientKey = sequence(issuerAndSerialNumber(certificate), octetString(wrapped))
  return implicit(
    1,
    sequence(integer(3), explicit(0, originatorKey), sequence(oid(scheme), aes256Wrap), sequence(recipientKey)),
  )
}

const issuerAndSerialNumber = ({ issuer, serialNumber }: Certificate): Der =>
  sequence(issuer.der, tlv(0x02, serialNumber))

export const nameOf = ({ subject, fingerprint }: Certificate): string => subject.commonName ?? fingerprint
