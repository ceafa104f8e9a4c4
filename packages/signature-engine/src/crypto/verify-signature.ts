import { constants, type KeyObject, verify } from 'node:crypto'
import type { KeyType, SignatureAlgorithm } from './algorithms.ts'
import { keyTypeOf } from './curves.ts'
import { ecdsaToDer } from './ecdsa-encoding.ts'
import { pssKey } from './pss-parameters.ts'

/**
 * Whether this is the key's signature over these bytes. ECDSA and DSA are accepted in both encodings, because remote
 * keys return either. Never throws: a signature of the wrong length, or a key of the wrong kind, is just not valid.
 */
export function isSignedBy(
  key: KeyObject,
  algorithm: SignatureAlgorithm,
  signed: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (keyTypeOf(key) !== algorithm.key) return false
  try {
    return verifiers[algorithm.key](key, algorithm, signed, signature)
  } catch {
    return false // OpenSSL throws on a malformed signature, which is invalid.
  }
}

type Verifier = (key: KeyObject, algorithm: SignatureAlgorithm, signed: Uint8Array, signature: Uint8Array) => boolean

const pair: Verifier = (key, { digest }, signed, signature) => verify(digest, signed, key, ecdsaToDer(key, signature))
const edwards: Verifier = (key, _algorithm, signed, signature) => verify(null, signed, key, signature)

const verifiers: Readonly<Record<KeyType, Verifier>> = {
  rsa: (key, algorithm, signed, signature) => {
    if (algorithm.pss) return isPssSignedBy(key, algorithm, signed, signature)
    // RFC 4055 §1.2: a key for PSS makes no other signatures.
    return key.asymmetricKeyType === 'rsa' && verify(algorithm.digest, signed, key, signature)
  },
  ec: pair,
  dsa: pair,
  ed25519: edwards,
  ed448: edwards,
}

function isPssSignedBy(key: KeyObject, algorithm: SignatureAlgorithm, signed: Uint8Array, signature: Uint8Array) {
  const fitting = pssKey(key, algorithm)
  if (!fitting) return false
  const { saltLength } = algorithm.pss!
  const options = { key: fitting, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }
  return verify(algorithm.digest, signed, options, signature)
}
