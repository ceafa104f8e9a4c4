import { keyBitsOf, leastKeyBits } from '../crypto/curves.ts'
import type { Certificate } from '../x509/certificate.ts'
import { refuseKey } from './errors.ts'

const MAX_RSA_BITS = 4096

/** Refuses a certificate whose key the engine does not support, before a PIN is requested. */
export function requireSigningKey(certificate: Certificate): void {
  const { keyType, publicKey, namedCurve } = certificate
  const bits = keyBitsOf(publicKey)
  if (
    keyType === undefined ||
    keyType === 'dsa' ||
    bits === undefined ||
    (keyType === 'ec' && bits < leastKeyBits.ec)
  ) {
    throw refuseKey('key.unsupported', { kind: namedCurve ?? publicKey.asymmetricKeyType ?? 'unknown' })
  }
  if (keyType === 'rsa' && (bits < leastKeyBits.rsa || bits > MAX_RSA_BITS)) throw refuseKey('key.wrong-size', { bits })
}
