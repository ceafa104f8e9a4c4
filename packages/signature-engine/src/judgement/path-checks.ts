import type { Certificate } from '../x509/certificate.ts'
import { isAtOrUnder } from '../x509/holder-certificate-type.ts'
import { algorithmReasons } from './algorithm-policy.ts'
import { type CertificatePurpose, purposes } from './certificate-purpose.ts'
import { nameReasons } from './name-constraints.ts'
import { type PolicyInputs, pathPolicies } from './policy-graph.ts'
import type { CertificateReason } from './verdict.ts'

export interface PathExpectations {
  readonly at: Date
  readonly purpose: CertificatePurpose
  readonly policies: readonly string[] | undefined
  readonly inputs: PolicyInputs
}

/**
 * Problems of a path, apart from revocation (RFC 5280 §6.1). `anchored`: its last certificate is trusted as it is, so
 * only its dates, its path length and its name constraints are checked.
 */
export function pathReasons(
  path: readonly Certificate[],
  anchored: boolean,
  expected: PathExpectations,
): CertificateReason[] {
  const believed = anchored ? path.length - 1 : path.length
  const ofEach = path.flatMap((certificate, height): CertificateReason[] => [
    ...validityReasons(certificate, expected.at),
    ...(height < believed ? extensionReasons(certificate) : []),
    ...(height < believed ? algorithmReasons(certificate, expected.at) : []),
    ...(height === 0 ? holderReasons(certificate, expected) : issuerReasons(path, height, height < believed)),
  ])
  return [...ofEach, ...nameReasons(path), ...(anchored ? policyReasons(path, expected.inputs) : [])]
}

function policyReasons(path: readonly Certificate[], inputs: PolicyInputs): CertificateReason[] {
  const { refusedAt } = pathPolicies(path, inputs)
  return refusedAt ? [{ code: 'policy.unacceptable', certificate: refusedAt }] : []
}

function validityReasons(certificate: Certificate, at: Date): CertificateReason[] {
  const { notBefore, notAfter } = certificate
  if (at < notBefore) {
    return [{ code: 'validity.not-yet-valid', certificate, details: { notBefore: notBefore.toISOString() } }]
  }
  if (at > notAfter) return [{ code: 'validity.expired', certificate, details: { notAfter: notAfter.toISOString() } }]
  return []
}

const extensionReasons = (certificate: Certificate): CertificateReason[] =>
  certificate.extensions.unknownCritical.map((oid) => ({
    code: 'chain.unknown-critical-extension',
    certificate,
    details: { oid },
  }))

function holderReasons(certificate: Certificate, { purpose, policies }: PathExpectations): CertificateReason[] {
  const reasons: CertificateReason[] = []
  if (!purposes[purpose](certificate)) reasons.push({ code: 'keyUsage.unfit', certificate, details: { purpose } })
  if (policies && !hasPolicyUnder(certificate, policies)) reasons.push({ code: 'policy.unacceptable', certificate })
  return reasons
}

const hasPolicyUnder = (certificate: Certificate, arcs: readonly string[]): boolean =>
  certificate.extensions.policies.some((policy) => arcs.some((arc) => isAtOrUnder(policy, arc)))

function issuerReasons(path: readonly Certificate[], height: number, mustProve: boolean): CertificateReason[] {
  const certificate = path[height]!
  const { isAuthority, keyUsage, pathLength } = certificate.extensions
  const reasons: CertificateReason[] = []
  // The operator's configuration makes an anchor an authority: old roots (version 1) have no such extension.
  if (mustProve && (!isAuthority || (keyUsage && !keyUsage.has('keyCertSign')))) {
    reasons.push({ code: 'chain.not-an-authority', certificate })
  }
  // §4.2.1.9: authorities below this one; those that renewed themselves do not count.
  const below = path.slice(1, height).filter(({ selfIssued }) => !selfIssued).length
  if (pathLength !== undefined && below > pathLength) {
    reasons.push({ code: 'chain.path-too-long', certificate, details: { pathLength } })
  }
  return reasons
}
