import type { KeyObject } from 'node:crypto'
import { refuseAlgorithm, type SignatureAlgorithm, signatureAlgorithms } from './algorithms.ts'
import { keyTypeOf } from './curves.ts'
import { mayMakePss, pssOfKey } from './pss-parameters.ts'

/** Digests a caller may ask a new signature to use. */
export type SigningDigest = 'sha256' | 'sha384' | 'sha512'

type Row = Readonly<Record<SigningDigest, SignatureAlgorithm>>

const always = (name: 'Ed25519' | 'Ed448'): Row => {
  const algorithm = signatureAlgorithms[name]
  return { sha256: algorithm, sha384: algorithm, sha512: algorithm }
}

const over = (family: 'RSA' | 'RSA-PSS' | 'ECDSA'): Row => ({
  sha256: signatureAlgorithms[`${family}-SHA256`],
  sha384: signatureAlgorithms[`${family}-SHA384`],
  sha512: signatureAlgorithms[`${family}-SHA512`],
})

// A table, because building a name from parts would cost a string lookup for every signature. By the kind of key as
// node:crypto calls it; the engine makes no DSA signatures (FIPS 186-5 has withdrawn them).
const newSignatures: Readonly<Record<string, Row>> = {
  rsa: over('RSA'),
  'rsa-pss': over('RSA-PSS'),
  ec: over('ECDSA'),
  ed25519: always('Ed25519'),
  ed448: always('Ed448'),
}

/**
 * The algorithm of a new signature by this key: PKCS#1 v1.5 or, for a key of that kind, PSS; ECDSA; EdDSA. A key for PSS
 * may be bound to one digest: it is taken where none is asked for, and another is refused.
 */
export function signingAlgorithm(key: KeyObject, digest?: SigningDigest): SignatureAlgorithm {
  const bound = key.asymmetricKeyType === 'rsa-pss' ? pssOfKey(key) : undefined
  const algorithm = bound ?? newSignatures[key.asymmetricKeyType ?? '']?.[digest ?? 'sha256']
  if (!algorithm || (bound && digest && bound.digest !== digest)) {
    throw refuseAlgorithm('algorithm.unfit', { key: kindOf(key), algorithm: digest ?? 'any digest' })
  }
  return algorithm
}

/** Refuses an algorithm this key cannot sign with. */
export function requireFit(key: KeyObject, algorithm: SignatureAlgorithm): void {
  const isOfKind = keyTypeOf(key) === algorithm.key
  const isFit = algorithm.pss ? mayMakePss(key, algorithm) : key.asymmetricKeyType !== 'rsa-pss'
  if (!isOfKind || !isFit) throw refuseAlgorithm('algorithm.unfit', { key: kindOf(key), algorithm: algorithm.name })
}

const kindOf = (key: KeyObject): string => key.asymmetricKeyDetails?.namedCurve ?? key.asymmetricKeyType ?? key.type
