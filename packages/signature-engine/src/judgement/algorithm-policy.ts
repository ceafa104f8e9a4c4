import type { DigestName, KeyType } from '../crypto/algorithms.ts'
import type { Certificate } from '../x509/certificate.ts'
import type { CertificateReason } from './verdict.ts'

/** NIST SP 800-131A: neither SHA-1 nor RSA under 2048 bits may sign after 2013; ICP-Brasil dropped both in 2012. */
const END_OF_2013 = new Date('2014-01-01T00:00:00Z')
const never = new Date(0)

/** Digests that no longer resist collisions, with the day from which signatures over them are not accepted. */
const weakDigests: Readonly<Partial<Record<DigestName, Date>>> = { sha1: END_OF_2013 }

/** Minimum key sizes, and until when smaller ones (but not below `everBits`) were accepted. */
const keySizes: Readonly<Record<KeyType, { bits: number; everBits: number; smallerUntil: Date }>> = {
  rsa: { bits: 2048, everBits: 1024, smallerUntil: END_OF_2013 },
  ec: { bits: 256, everBits: 256, smallerUntil: never },
  ed25519: { bits: 256, everBits: 256, smallerUntil: never },
}

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

function keyReasons(certificate: Certificate, at: Date): CertificateReason[] {
  const keyType = certificate.hasKnownKey ? certificate.keyType : undefined
  // An elliptic curve without a known size is not in use.
  if (!keyType || certificate.keyBits === 0) {
    return [{ code: 'algorithm.unknown', certificate, details: { what: 'public key' } }]
  }
  const { bits, everBits, smallerUntil } = keySizes[keyType]
  const smallest = at < smallerUntil ? everBits : bits
  if (certificate.keyBits >= smallest) return []
  return [{ code: 'algorithm.weak', certificate, details: { algorithm: `${keyType} ${certificate.keyBits}` } }]
}
