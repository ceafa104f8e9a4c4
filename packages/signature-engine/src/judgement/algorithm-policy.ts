import type { DigestName, KeyType } from '../crypto/algorithms.ts'
import { leastKeyBits } from '../crypto/curves.ts'
import type { Certificate } from '../x509/certificate.ts'
import type { CertificateReason } from './verdict.ts'

/** NIST SP 800-131A: neither SHA-1 nor RSA under 2048 bits may sign after 2013; ICP-Brasil dropped both in 2012. */
const END_OF_2013 = new Date('2014-01-01T00:00:00Z')
const never = new Date(0)

/** Digests that no longer resist collisions, with the day from which signatures over them are not accepted. */
const weakDigests: Readonly<Partial<Record<DigestName, Date>>> = { sha1: END_OF_2013 }

/** Minimum key sizes, and until when smaller ones (but not below `everBits`) were accepted. */
const keySizes: Readonly<Record<KeyType, { bits: number; everBits: number; smallerUntil: Date }>> = {
  rsa: { bits: leastKeyBits.rsa, everBits: 1024, smallerUntil: END_OF_2013 },
  dsa: { bits: leastKeyBits.dsa, everBits: 1024, smallerUntil: END_OF_2013 },
  ec: { bits: leastKeyBits.ec, everBits: leastKeyBits.ec, smallerUntil: never },
  ed25519: { bits: leastKeyBits.ed25519, everBits: leastKeyBits.ed25519, smallerUntil: never },
  ed448: { bits: leastKeyBits.ed448, everBits: leastKeyBits.ed448, smallerUntil: never },
}

/** Whether signatures with this algorithm, named as reports name it, were accepted at that time. */
export const wasSound = (algorithm: string, at: Date): boolean =>
  Object.entries(weakDigests).some(([name, until]) => algorithm.toLowerCase().endsWith(name) && at < until)

/** Whether RSA and DSA keys of so few bits were accepted at that time. */
export const wasLongEnough = (bits: number, at: Date): boolean =>
  bits >= keySizes.rsa.everBits && at < keySizes.rsa.smallerUntil

/** What is too weak, at this time, in the certificate's signature and in its own key. */
export const algorithmReasons = (certificate: Certificate, at: Date): CertificateReason[] => [
  ...signatureReasons(certificate, at),
  ...keyReasons(certificate, at),
]

function signatureReasons(certificate: Certificate, at: Date): CertificateReason[] {
  const algorithm = certificate.signatureAlgorithm
  if (!algorithm) return [{ code: 'algorithm.unknown', certificate, details: { what: 'signature' } }]
  const until = weakDigests[algorithm.digest]
  return until && at >= until ? [{ code: 'algorithm.weak', certificate, details: { algorithm: algorithm.name } }] : []
}

const UNKNOWN_KEY = { keyType: undefined, keyBits: undefined }

function keyReasons(certificate: Certificate, at: Date): CertificateReason[] {
  const { keyType, keyBits } = certificate.hasKnownKey ? certificate : UNKNOWN_KEY
  if (!keyType || keyBits === undefined) {
    return [{ code: 'algorithm.unknown', certificate, details: { what: 'public key' } }]
  }
  const { bits, everBits, smallerUntil } = keySizes[keyType]
  const smallest = at < smallerUntil ? everBits : bits
  if (keyBits >= smallest) return []
  return [{ code: 'algorithm.weak', certificate, details: { algorithm: `${keyType} ${keyBits}` } }]
}
