// Whether a signature keeps to the policies that whoever opens it accepts (pki-core facts 4.4).
import { refuse } from './refuse.ts'
import { findPolicy, type KnownPolicy, needsTimestamp, unsupportedPolicy } from './signature-policies.ts'

/** What is looked at of a signature. */
export interface PolicyFacts {
  /** The name of the policy that the signature names, such as AD-RB; null where it is no known one, undefined for none. */
  readonly named: string | null | undefined
  readonly hasTimestamp: boolean
}

export interface AcceptedPolicies {
  readonly usual: KnownPolicy | undefined
  /** Undefined: any. */
  readonly explicit: readonly KnownPolicy[] | undefined
}

/** The policies of a request; an id that nobody knows is refused. */
export const acceptedPolicies = (
  usual: string | null | undefined,
  explicit: readonly string[] | null | undefined,
): AcceptedPolicies => ({
  usual: usual ? required(usual) : undefined,
  explicit: explicit ? explicit.filter((id) => !unsupportedPolicy(id)).map(required) : undefined,
})

function required(id: string): KnownPolicy {
  const why = unsupportedPolicy(id)
  if (why) throw refuse(why.code, { signaturePolicyId: id, reason: why.reason })
  const found = findPolicy(id)
  if (!found) throw refuse('EntityNotFound', { entity: 'SignaturePolicy', id })
  return found
}

/** Why a signature is not acceptable; undefined where it is. */
export function policyProblem(
  { named, hasTimestamp }: PolicyFacts,
  { usual, explicit }: AcceptedPolicies,
): 'UnacceptableSignaturePolicy' | 'SignaturePolicyMismatch' | undefined {
  if (named !== undefined)
    return explicit && !explicit.some(({ level }) => level === named) ? 'UnacceptableSignaturePolicy' : undefined
  if (!usual) return undefined
  const isMet = !usual.level.startsWith('AD-') && (hasTimestamp || !needsTimestamp(usual.level))
  return isMet ? undefined : 'SignaturePolicyMismatch'
}
