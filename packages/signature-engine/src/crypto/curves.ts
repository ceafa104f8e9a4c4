import type { KeyObject } from 'node:crypto'
import type { KeyType } from './algorithms.ts'

/**
 * Bits of the order of each named curve, as node:crypto calls it: the strength of its keys, and the width of r and s.
 * A curve that is missing has no known strength; one with explicit parameters has no name (RFC 5480 §2.1.1 forbids it).
 */
const orderBits: Readonly<Record<string, number>> = {
  prime192v1: 192,
  secp224r1: 224,
  prime256v1: 256,
  secp384r1: 384,
  secp521r1: 521,
  secp224k1: 225,
  secp256k1: 256,
  brainpoolP192r1: 192,
  brainpoolP192t1: 192,
  brainpoolP224r1: 224,
  brainpoolP224t1: 224,
  brainpoolP256r1: 256,
  brainpoolP256t1: 256,
  brainpoolP320r1: 320,
  brainpoolP320t1: 320,
  brainpoolP384r1: 384,
  brainpoolP384t1: 384,
  brainpoolP512r1: 512,
  brainpoolP512t1: 512,
}

const keyTypes: Readonly<Record<string, KeyType>> = {
  rsa: 'rsa',
  'rsa-pss': 'rsa',
  ec: 'ec',
  dsa: 'dsa',
  ed25519: 'ed25519',
  ed448: 'ed448',
}

/** Undefined for a kind of key that does not sign, or is not supported. */
export const keyTypeOf = (key: KeyObject): KeyType | undefined => keyTypes[key.asymmetricKeyType ?? '']

const edwardsBits: Readonly<Record<string, number>> = { ed25519: 256, ed448: 448 }

/** Bits of a modulus, or of a curve's order; undefined where the curve is not in the table. */
export function keyBitsOf(key: KeyObject): number | undefined {
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {}
  return modulusLength ?? orderBits[namedCurve ?? ''] ?? edwardsBits[key.asymmetricKeyType ?? '']
}

/** Bytes of r and of s in signatures of this key; undefined where they are not known, or there are none. */
export function pairWidthOf(key: KeyObject): number | undefined {
  const { divisorLength, namedCurve } = key.asymmetricKeyDetails ?? {}
  const bits = divisorLength ?? orderBits[namedCurve ?? '']
  return bits === undefined ? undefined : Math.ceil(bits / 8)
}

/** Least bits a key must have (ICP-Brasil policies; SOG-IS agreed mechanisms). */
export const leastKeyBits: Readonly<Record<KeyType, number>> = {
  rsa: 2048,
  dsa: 2048,
  ec: 256,
  ed25519: 256,
  ed448: 448,
}

/** The bits of a key that has fewer than it must; undefined for a good one, and for one whose bits are not known. */
export function tooFewBits(key: KeyObject): number | undefined {
  const type = keyTypeOf(key)
  const bits = keyBitsOf(key)
  return type !== undefined && bits !== undefined && bits < leastKeyBits[type] ? bits : undefined
}
