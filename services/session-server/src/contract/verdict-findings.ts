/** Why a certificate is not good: the codes of the engine, and why nothing was judged. */
export const verdictFindings = [
  'chain.no-path',
  'chain.untrusted-root',
  'chain.untrusted-then',
  'chain.wrong-signature',
  'chain.not-an-authority',
  'chain.path-too-long',
  'chain.name-not-permitted',
  'chain.unknown-critical-extension',
  'validity.expired',
  'validity.not-yet-valid',
  'revocation.revoked',
  'revocation.on-hold',
  'revocation.unknown',
  'revocation.stale',
  'policy.unacceptable',
  'keyUsage.unfit',
  'algorithm.weak',
  'algorithm.unknown',
  'data-lost',
  'not-judged',
  'not-judged-yet',
] as const

export type VerdictFinding = (typeof verdictFindings)[number]
