import type { Certificate } from '../x509/certificate.ts'
import { refuseKey } from './errors.ts'

const MIN_RSA_BITS = 2048
const MAX_RSA_BITS = 4096
const curves = new Set<string | undefined>(['prime256v1', 'secp384r1'])

/** Refuses a certificate whose key the engine does not support, before a PIN is requested. */
export function requireSigningKey(certificate: Certificate): void {
  const { keyType, keyBits, namedCurve } = certificate
  const kind = namedCurve ?? certificate.publicKey.asymmetricKeyType ?? 'unknown'
  if (
    keyType === undefined ||
    !['rsa', 'ec', 'ed25519'].includes(keyType) ||
    (keyType === 'ec' && !curves.has(namedCurve))
  )
    throw refuseKey('key.unsupported', { kind })
  // An RSA-PSS key must not make the PKCS#1 v1.5 signatures that every policy here requires (RFC 4055 §1.2).
  if (kind === 'rsa-pss') throw refuseKey('key.unsupported', { kind })
  if (keyType === 'rsa' && (keyBits! < MIN_RSA_BITS || keyBits! > MAX_RSA_BITS)) {
    throw refuseKey('key.wrong-size', { bits: keyBits! })
  }
}
