import { type DigestName, digestAlgorithms, type KeyType, signatureAlgorithmByName } from '../../crypto/algorithms.ts'
import { requireArguments } from '../../errors/arguments.ts'
import { refuseKey } from '../errors.ts'
import type { Pkcs11Token } from './pkcs11-token.ts'

/** Keys that sign digests; Ed25519 needs the bytes themselves. */
const families: Readonly<Partial<Record<KeyType, 'RSA' | 'ECDSA'>>> = { rsa: 'RSA', ec: 'ECDSA' }

const NOTHING = new Uint8Array(0)

/** Signs a digest without the signed bytes, with a key of a token: RSA PKCS#1 v1.5, or ECDSA as r‖s. */
export async function signDigestOnToken(
  token: Pkcs11Token,
  /** Label, id or certificate fingerprint. */
  key: string,
  algorithm: DigestName,
  digest: Uint8Array,
): Promise<Uint8Array> {
  requireArguments('signDigestOnToken', {
    token: [token, 'object'],
    key: [key, 'text'],
    algorithm: [algorithm, 'text'],
    digest: [digest, 'bytes'],
  })
  const signer = token.signer(key)
  const family = families[signer.certificate.keyType!]
  if (!family) throw refuseKey('key.digest-unsupported', { kind: signer.certificate.keyType! })
  if (digest.length !== digestAlgorithms[algorithm].bytes) {
    throw refuseKey('key.wrong-digest', { algorithm, bytes: digest.length })
  }
  const named = signatureAlgorithmByName(`${family}-${algorithm.toUpperCase()}`)
  return signer.sign({ toSign: NOTHING, digest, algorithm: named })
}
