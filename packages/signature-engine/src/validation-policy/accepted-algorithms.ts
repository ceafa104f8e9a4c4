import { type DigestName, type SignatureAlgorithm, signatureAlgorithmByName } from '../crypto/algorithms.ts'
import { EngineError } from '../errors/engine-error.ts'
import type { Certificate } from '../x509/certificate.ts'
import type { AlgorithmFamily, Until, ValidationPolicy } from './validation-policy.ts'

const isBefore = (at: Date, until: Until): boolean => until === null || at.getTime() < Date.parse(until)

export function acceptsDigest({ digests }: ValidationPolicy, name: string, at: Date): boolean {
  const until = Object.hasOwn(digests, name) ? digests[name as DigestName] : undefined
  return until !== undefined && isBefore(at, until)
}

export const acceptsAlgorithm = (policy: ValidationPolicy, algorithm: SignatureAlgorithm, at: Date): boolean =>
  policy.algorithms.includes(familyOf(algorithm)) && acceptsDigest(policy, algorithm.digest, at)

const familyOf = ({ name, key, pss }: SignatureAlgorithm): AlgorithmFamily => {
  if (pss) return 'RSA-PSS'
  if (key === 'ed25519' || key === 'ed448') return name as 'Ed25519' | 'Ed448'
  return key === 'rsa' ? 'RSA' : key === 'ec' ? 'ECDSA' : 'DSA'
}

/** Undefined where the key's kind or size is not known: that is another question. */
export function acceptsKey({ keys }: ValidationPolicy, certificate: Certificate, at: Date): boolean | undefined {
  const { keyType, keyBits } = certificate.hasKnownKey ? certificate : { keyType: undefined, keyBits: undefined }
  if (keyType === undefined || keyBits === undefined) return undefined
  return (keys[keyType] ?? []).some(({ bits, until }) => keyBits >= bits && isBefore(at, until))
}

/** The algorithm of a report's name; undefined for one that is not known. */
export function algorithmNamed(name: string): SignatureAlgorithm | undefined {
  try {
    return signatureAlgorithmByName(name)
  } catch (error) {
    if (error instanceof EngineError) return undefined
    throw error
  }
}
