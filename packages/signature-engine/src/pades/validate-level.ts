import { policyByOid } from '../policies/policies.ts'
import { type Finding, finding, type PolicyReport, type SignatureLevel } from '../report/report.ts'

/** What the document contains for one signature, beyond its CMS. */
export interface LevelParts {
  /** A timestamp on the signature value. */
  readonly signatureTimestamp: boolean
  /** A document timestamp in a later revision. */
  readonly documentTimestamp: boolean
  /** Certificates and revocation data in the security store, in its own revision or later. */
  readonly validationData: boolean
  /** A document timestamp over that data. */
  readonly archived: boolean
  /** Entries of the store for single signatures. */
  readonly vri: boolean
}

/** Forms of ICP-Brasil for PDF (DOC-ICP-15.03 tables A.18 to A.22), each with its requirements. */
const icpForms: readonly { readonly name: SignatureLevel; readonly demands: readonly (keyof LevelParts)[] }[] = [
  { name: 'AD-RB', demands: [] },
  { name: 'AD-RT', demands: ['signatureTimestamp'] },
  { name: 'AD-RC', demands: ['signatureTimestamp', 'validationData', 'vri', 'archived'] },
  { name: 'AD-RA', demands: ['signatureTimestamp', 'validationData', 'vri', 'archived'] },
]

/** The level reached, given that the CMS is at least B-B; and the policy's unmet requirements. */
export function levelReached(
  policy: PolicyReport | null,
  parts: LevelParts,
): { level: SignatureLevel; findings: Finding[] } {
  const promised = policy && policyByOid(policy.oid)
  if (!promised) return { level: baselineLevel(parts), findings: [] }
  const upTo = icpForms.slice(0, icpForms.findIndex(({ name }) => name === promised.name) + 1)
  const reached = upTo.findLast(({ demands }) => demands.every((part) => parts[part]))
  const unmet = upTo.at(-1)?.demands.filter((part) => !parts[part]) ?? []
  return {
    level: reached?.name ?? 'none',
    findings: unmet.map((requirement) => finding('policy-requirement-unmet', { requirement, policy: promised.name })),
  }
}

/** EN 319 142-1 §6: each level extends the one below. */
function baselineLevel({
  signatureTimestamp,
  documentTimestamp,
  validationData,
  archived,
}: LevelParts): SignatureLevel {
  if (!signatureTimestamp && !documentTimestamp) return 'B-B'
  if (!validationData) return 'B-T'
  return archived ? 'B-LTA' : 'B-LT'
}
