// ECDSA over a digest: with elliptic curves Node signs and verifies only what it has hashed itself.
import type { KeyObject } from 'node:crypto'
import { p256, p384, p521 } from '@noble/curves/nist.js'
import { ecdsaToFixedWidth } from '../../crypto/ecdsa-encoding.ts'

const curves: Readonly<Record<string, typeof p256>> = { prime256v1: p256, secp384r1: p384, secp521r1: p521 }

/** Half of all valid signatures have a high s, and OpenSSL and tokens make them. */
const options = { prehash: false, lowS: false } as const

const curveOf = (key: KeyObject) => curves[key.asymmetricKeyDetails?.namedCurve ?? '']

/** Whether keys on this curve sign digests. */
export const isKnownCurve = (key: KeyObject): boolean => curveOf(key) !== undefined

/** The signature over the digest, in DER. */
export function ecdsaOver(key: KeyObject, digest: Uint8Array): Uint8Array {
  const secret = fieldOf(key, 'd')
  try {
    return curveOf(key)!.sign(digest, secret, { ...options, format: 'der' })
  } finally {
    secret.fill(0)
  }
}

/** Whether the key signed this digest; the signature is DER or r‖s. */
export function isEcdsaOver(key: KeyObject, digest: Uint8Array, signature: Uint8Array): boolean {
  const point = Buffer.concat([Buffer.of(4), fieldOf(key, 'x'), fieldOf(key, 'y')])
  const pair = Uint8Array.from(ecdsaToFixedWidth(key, signature))
  return curveOf(key)?.verify(pair, digest, point, { ...options, format: 'compact' }) ?? false
}

const fieldOf = (key: KeyObject, name: 'd' | 'x' | 'y'): Buffer =>
  Buffer.from(key.export({ format: 'jwk' })[name]!, 'base64url')
