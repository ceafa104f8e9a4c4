import type { KeyObject } from 'node:crypto'
import { type DigestName, digestAlgorithms } from '../../crypto/algorithms.ts'
import { requireArguments } from '../../errors/arguments.ts'
import { refuseKey } from '../errors.ts'
import { digestInfo } from './digest-info.ts'
import { signInWorker } from './digest-workers.ts'
import { isKnownCurve } from './ecdsa-over-digest.ts'

/** Signs a digest without the signed bytes, off the event loop: RSA PKCS#1 v1.5, or ECDSA in DER. */
export async function signDigest(key: KeyObject, algorithm: DigestName, digest: Uint8Array): Promise<Uint8Array> {
  requireArguments('signDigest', { key: [key, 'key'], algorithm: [algorithm, 'text'], digest: [digest, 'bytes'] })
  requireDigestKey(key)
  if (digest.length !== digestAlgorithms[algorithm].bytes) {
    throw refuseKey('key.wrong-digest', { algorithm, bytes: digest.length })
  }
  return signInWorker({ key, input: key.asymmetricKeyType === 'rsa' ? digestInfo(algorithm, digest) : digest })
}

/** Refuses a key that `signDigest` does not support, in advance. */
export function requireDigestKey(key: KeyObject): void {
  requireArguments('requireDigestKey', { key: [key, 'key'] })
  if (key.type !== 'private') throw refuseKey('key.not-private')
  const kind = key.asymmetricKeyType
  if (kind !== 'rsa' && !isKnownCurve(key)) {
    throw refuseKey('key.digest-unsupported', { kind: key.asymmetricKeyDetails?.namedCurve ?? kind ?? 'unknown' })
  }
}
