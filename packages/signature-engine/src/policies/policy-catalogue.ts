import { type DigestName, digestAlgorithms } from '../crypto/algorithms.ts'
import { requireArguments } from '../errors/arguments.ts'
import { type Finding, finding, type PolicyReport } from '../report/report.ts'
import type { Certificate } from '../x509/certificate.ts'
import { isInForce, policyByOid, policyTitle } from './policies.ts'
import type { ListedPolicy, PolicyList } from './policy-list.ts'

/** The known policies: the engine's own table, and the newest imported lists (LPA). */
export class PolicyCatalogue {
  readonly lists: readonly PolicyList[]
  readonly #listed: ReadonlyMap<string, ListedPolicy>

  constructor(lists: readonly PolicyList[] = []) {
    requireArguments('PolicyCatalogue', { lists: [lists, 'list'] })
    this.lists = lists
    // Of two lists with the same policy the newer one counts.
    const oldestFirst = lists.toSorted((a, b) => a.nextUpdate.getTime() - b.nextUpdate.getTime())
    this.#listed = new Map(oldestFirst.flatMap(({ policies }) => policies.map((policy) => [policy.oid, policy])))
  }

  /** The lists' entry of this policy. */
  listed(oid: string): ListedPolicy | undefined {
    return this.#listed.get(oid)
  }

  /** Whether some list is past its next update, so that a newer one may contain more. */
  isStale(now: Date): boolean {
    return this.lists.some(({ nextUpdate }) => nextUpdate < now)
  }
}

/** The engine's own table, without any list. */
export const builtInPolicies = new PolicyCatalogue()

export interface PolicyClaim {
  /** The policy in the signature. */
  readonly oid: string
  /** The digest in the signature; null when it has none. */
  readonly hash: { readonly digest: DigestName; readonly value: Uint8Array } | null
  readonly uri: string | null
  /** The proven time of the signature. */
  readonly signedAt: Date
  /** Time of the validation; the age of the lists is relative to it. Default: `signedAt`. */
  readonly now?: Date
  readonly policies?: PolicyCatalogue
}

/** Validates the policy of a signature. An outdated list only warns: it proves nothing against a policy. */
export function policyReport(claim: PolicyClaim): {
  report: PolicyReport
  findings: Finding[]
} {
  requireArguments('policyReport', { oid: [claim?.oid, 'text'], signedAt: [claim?.signedAt, 'moment'] }, claim)
  const { oid, hash, uri, signedAt, now = signedAt, policies = builtInPolicies } = claim
  const known = policyByOid(oid)
  const listed = policies.listed(oid)
  const terms = termsOf(known, listed)
  const status = statusAt(terms, signedAt)
  const hashMatches = known && hash ? isPolicyHash(known.hash, hash) : null
  const findings: Finding[] = []
  if (!terms) findings.push(finding('policy-unknown', { oid }))
  if (hashMatches === false) findings.push(finding('policy-hash-mismatch', { oid }))
  if (known && listed && !isFileHash(known.fileHash, listed)) findings.push(finding('policy-hash-mismatch', { oid }))
  if (status === 'expired' || status === 'revoked') findings.push(finding('policy-not-in-force', { oid, status }))
  if (policies.isStale(now)) findings.push(finding('policy-list-stale'))
  return { report: { oid, name: policyTitle(oid), uri: uri ?? known?.uri ?? null, hashMatches, status }, findings }
}

/**
 * A policy of ICP-Brasil names the roots it is for. Under another one a signature is what it is, but not what a reader
 * takes the policy's name for; without an anchor the certificate's own reasons say enough.
 */
export function anchorFindings(oid: string, anchor: Certificate | null | undefined): Finding[] {
  const policy = policyByOid(oid)
  if (!policy || !anchor || policy.roots.includes(anchor.fingerprint)) return []
  const unmet = finding('policy-requirement-unmet', { requirement: 'trust anchor', policy: policy.name })
  return [{ ...unmet, severity: 'warning' }]
}

type Terms = { readonly notBefore: Date; readonly notAfter: Date; readonly revokedAt: Date | null }

// A newer list has revocations that the table cannot have, and policies newer than the engine.
function termsOf(known: Terms | undefined, listed: Terms | undefined): Terms | undefined {
  if (!known || !listed) return listed ?? known
  return { ...known, revokedAt: listed.revokedAt ?? known.revokedAt }
}

function statusAt(terms: Terms | undefined, at: Date): PolicyReport['status'] {
  if (!terms) return 'unknown'
  if (terms.revokedAt && at >= terms.revokedAt) return 'revoked'
  return isInForce(terms, at) ? 'current' : 'expired'
}

// A right digest under another algorithm (32 bytes labelled SHA-512) was never computed.
const isPolicyHash = (expected: Buffer, { digest, value }: NonNullable<PolicyClaim['hash']>): boolean =>
  digestAlgorithms[digest].bytes === value.length && expected.equals(value)

// Current lists use SHA-256; the table has no digest of another algorithm to compare with.
const isFileHash = (expected: Buffer, { fileHash }: ListedPolicy): boolean =>
  fileHash.digest !== 'sha256' || expected.equals(fileHash.value)
