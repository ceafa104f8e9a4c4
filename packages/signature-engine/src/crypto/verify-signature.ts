import { constants, type KeyObject, verify } from 'node:crypto'
import type { SignatureAlgorithm } from './algorithms.ts'
import { ecdsaToDer } from './ecdsa-encoding.ts'

/**
 * Whether this is the key's signature over these bytes. ECDSA is accepted in both encodings, because remote keys return
 * either. Never throws: a signature of the wrong length, or a key of the wrong kind, is just not valid.
 */
export function isSignedBy(
  key: KeyObject,
  algorithm: SignatureAlgorithm,
  signed: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (key.asymmetricKeyType !== algorithm.key && !(key.asymmetricKeyType === 'rsa-pss' && algorithm.key === 'rsa')) {
    return false
  }
  try {
    return verifiers[algorithm.key](key, algorithm, signed, signature)
  } catch {
    return false // OpenSSL throws on a malformed signature, which is invalid.
  }
}

type Verifier = (key: KeyObject, algorithm: SignatureAlgorithm, signed: Uint8Array, signature: Uint8Array) => boolean

const verifiers: Readonly<Record<SignatureAlgorithm['key'], Verifier>> = {
  rsa: (key, algorithm, signed, signature) =>
    algorithm.name.startsWith('RSA-PSS') || key.asymmetricKeyType === 'rsa-pss'
      ? verify(algorithm.digest, signed, { key, ...pssPadding }, signature)
      : verify(algorithm.digest, signed, key, signature),
  ec: (key, algorithm, signed, signature) => verify(algorithm.digest, signed, key, ecdsaToDer(key, signature)),
  ed25519: (key, _algorithm, signed, signature) => verify(null, signed, key, signature),
}

const pssPadding = {
  padding: constants.RSA_PKCS1_PSS_PADDING,
  saltLength: constants.RSA_PSS_SALTLEN_AUTO,
}
