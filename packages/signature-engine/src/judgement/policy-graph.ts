import type { Certificate } from '../x509/certificate.ts'
import { ANY_POLICY } from '../x509/oids.ts'

/** The inputs that RFC 5280 §6.1.1 c, e, f and g leaves to whoever validates. */
export interface PolicyInputs {
  /** user-initial-policy-set: the policies that the caller accepts, in the terms of the anchor. Default: any. */
  readonly initialPolicies?: readonly string[] | undefined
  /** initial-explicit-policy: a path without a policy that is accepted is not valid. Default false. */
  readonly requireExplicitPolicy?: boolean | undefined
  /** initial-policy-mapping-inhibit: policies of other domains do not count as equal. Default false. */
  readonly inhibitPolicyMapping?: boolean | undefined
  /** initial-any-policy-inhibit: anyPolicy stands for no policy. Default false. */
  readonly inhibitAnyPolicy?: boolean | undefined
}

export interface PathPolicies {
  /** The policies for which the path is valid, of those that were asked for; anyPolicy where nothing limits them. */
  readonly policies: readonly string[]
  /** The certificate at which no policy was left though one is demanded. */
  readonly refusedAt: Certificate | undefined
}

/** The policies of a path whose last certificate is the anchor (RFC 5280 §6.1, with the graph of RFC 9618). */
export function pathPolicies(path: readonly Certificate[], inputs: PolicyInputs = {}): PathPolicies {
  const processing = new PolicyProcessing(path.length - 1, inputs)
  for (let height = path.length - 2; height >= 0; height--) {
    const certificate = path[height]!
    if (!processing.take(certificate, height === 0)) return { policies: [], refusedAt: certificate }
  }
  const policies = processing.policiesFor(inputs.initialPolicies)
  const isRefused = processing.demandsPolicy && policies.length === 0
  return { policies: path.length > 1 ? policies : [], refusedAt: isRefused ? path[0] : undefined }
}

/**
 * One node of RFC 9618 §3: there is at most one of each policy at a depth, so that the graph grows with the certificates
 * and not, as the tree of RFC 5280 could, exponentially. Nodes without children need no deletion: nothing leads to them.
 */
interface PolicyNode {
  readonly policy: string
  readonly parents: readonly PolicyNode[]
  expected: readonly string[]
}

type Level = Map<string, PolicyNode>

/** The variables of §6.1.2, moved from one certificate to the next. */
class PolicyProcessing {
  /** The nodes of the deepest level; without any the graph is NULL. */
  #level: Level = new Map([[ANY_POLICY, node(ANY_POLICY, [])]])
  #explicitPolicy: number
  #policyMapping: number
  #inhibitAnyPolicy: number

  constructor(length: number, inputs: PolicyInputs) {
    this.#explicitPolicy = inputs.requireExplicitPolicy ? 0 : length + 1
    this.#policyMapping = inputs.inhibitPolicyMapping ? 0 : length + 1
    this.#inhibitAnyPolicy = inputs.inhibitAnyPolicy ? 0 : length + 1
  }

  get demandsPolicy(): boolean {
    return this.#explicitPolicy === 0
  }

  /** Processes one certificate; false when the path cannot be valid below it. */
  take(certificate: Certificate, isLast: boolean): boolean {
    const anyPolicyCounts = this.#inhibitAnyPolicy > 0 || (!isLast && certificate.selfIssued)
    this.#level = nextLevel(this.#level, certificate.extensions.policies, anyPolicyCounts)
    if (this.demandsPolicy && this.#level.size === 0) return false
    if (isLast) this.#wrapUp(certificate)
    else if (!this.#map(certificate)) return false
    else this.#count(certificate)
    return true
  }

  /** §6.1.4 a and b; false when anyPolicy is mapped, which is forbidden. */
  #map({ extensions: { policyMappings } }: Certificate): boolean {
    const mapped = new Map<string, string[]>()
    for (const { issuerPolicy, subjectPolicy } of policyMappings) {
      if (issuerPolicy === ANY_POLICY || subjectPolicy === ANY_POLICY) return false
      mapped.set(issuerPolicy, [...(mapped.get(issuerPolicy) ?? []), subjectPolicy])
    }
    for (const [policy, subjectPolicies] of mapped) {
      if (this.#policyMapping > 0) mapPolicy(this.#level, policy, subjectPolicies)
      else this.#level.delete(policy)
    }
    return true
  }

  /** §6.1.4 h, i and j: one certificate less until each demand holds, and the demands of this one. */
  #count({ selfIssued, extensions: { policyConstraints, inhibitAnyPolicy } }: Certificate): void {
    const left = (count: number, demanded: number | undefined) =>
      Math.min(selfIssued ? count : Math.max(0, count - 1), demanded ?? Number.POSITIVE_INFINITY)
    this.#explicitPolicy = left(this.#explicitPolicy, policyConstraints?.requireExplicitPolicy)
    this.#policyMapping = left(this.#policyMapping, policyConstraints?.inhibitPolicyMapping)
    this.#inhibitAnyPolicy = left(this.#inhibitAnyPolicy, inhibitAnyPolicy)
  }

  /** §6.1.5 a and b. */
  #wrapUp({ extensions: { policyConstraints } }: Certificate): void {
    this.#explicitPolicy = Math.max(0, this.#explicitPolicy - 1)
    if (policyConstraints?.requireExplicitPolicy === 0) this.#explicitPolicy = 0
  }

  /** §6.1.5 g: the policies in the anchor's terms that reach the last certificate, and that were asked for. */
  policiesFor(initial: readonly string[] = [ANY_POLICY]): string[] {
    const reached = anchorPolicies([...this.#level.values()])
    if (initial.includes(ANY_POLICY)) return [...reached]
    return [...new Set(initial)].filter((policy) => reached.has(policy) || reached.has(ANY_POLICY))
  }
}

const node = (policy: string, parents: readonly PolicyNode[], expected = [policy]): PolicyNode => ({
  policy,
  parents,
  expected,
})

/** §6.1.3 d and e: the nodes below `above` for a certificate with these policies; none for one without policies. */
function nextLevel(above: Level, policies: readonly string[], anyPolicyCounts: boolean): Level {
  const next: Level = new Map()
  const expecting = byExpected(above)
  const any = above.get(ANY_POLICY)
  for (const policy of policies) {
    if (policy === ANY_POLICY) continue
    const parents = expecting.get(policy) ?? (any ? [any] : [])
    if (parents.length > 0) next.set(policy, node(policy, parents))
  }
  if (!policies.includes(ANY_POLICY) || !anyPolicyCounts) return next
  for (const [policy, parents] of expecting) if (!next.has(policy)) next.set(policy, node(policy, parents))
  return next
}

function byExpected(level: Level): Map<string, PolicyNode[]> {
  const expecting = new Map<string, PolicyNode[]>()
  for (const member of level.values()) {
    for (const policy of member.expected) {
      const others = expecting.get(policy)
      if (others) others.push(member)
      else expecting.set(policy, [member])
    }
  }
  return expecting
}

/** §6.1.4 b 1: a policy that is only there as anyPolicy gets a node of its own, beside that of anyPolicy. */
function mapPolicy(level: Level, policy: string, subjectPolicies: readonly string[]): void {
  const expected = [...new Set(subjectPolicies)]
  const known = level.get(policy)
  const any = level.get(ANY_POLICY)
  if (known) known.expected = expected
  else if (any) level.set(policy, node(policy, any.parents, expected))
}

/** The policies right below the anchor from which these nodes descend: the others are what they were mapped to. */
function anchorPolicies(nodes: readonly PolicyNode[]): Set<string> {
  const found = new Set<string>()
  const seen = new Set(nodes)
  for (const member of seen) {
    const isFirst = member.parents.every(({ policy }) => policy === ANY_POLICY)
    if (isFirst && (member.policy !== ANY_POLICY || nodes.includes(member))) found.add(member.policy)
    if (!isFirst) for (const parent of member.parents) seen.add(parent)
  }
  return found
}
