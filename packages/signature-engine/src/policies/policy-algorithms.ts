import type { DigestName, SignatureAlgorithm } from '../crypto/algorithms.ts'
import type { SignatureFormat } from '../report/report.ts'
import { refusePolicy } from './errors.ts'
import { policyByOid } from './policies.ts'

/** SHA-1 was that of the first versions; it is judged by its age, with every other signature. */
const digests: ReadonlySet<DigestName> = new Set(['sha1', 'sha256', 'sha512'])

/**
 * Whether the policies of ICP-Brasil allow the algorithm: RSA and ECDSA with SHA-256 or SHA-512, and EdDSA outside XML;
 * no PSS, no SHA-384, no SHA-3 (signature-engine facts C9).
 */
export function policiesAllow(format: SignatureFormat, { key, digest, pss }: SignatureAlgorithm): boolean {
  if (key === 'ed25519' || key === 'ed448') return format !== 'XAdES'
  return (key === 'rsa' || key === 'ec') && !pss && digests.has(digest)
}

/** Refuses an algorithm that the policy of a new signature does not allow, if it is one of ICP-Brasil. */
export function requireAllowed(
  format: SignatureFormat,
  algorithm: SignatureAlgorithm,
  policy: { readonly oid: string } | undefined,
): void {
  if (policy && policyByOid(policy.oid) && !policiesAllow(format, algorithm)) {
    throw refusePolicy('policy.algorithm-forbidden', { format, algorithm: algorithm.name })
  }
}
