// The signature policies of ICP-Brasil, as data.
//
//   const policy = selectPolicy({ format: 'CAdES', name: 'AD-RB', root, now })
//   const catalogue = new PolicyCatalogue([readLpa(bytes)])        // given to `validate…` as `policies`
export {
  type PolicyName,
  type PolicySelection,
  policyByOid,
  policyTitle,
  type SigningPolicy,
  selectPolicy,
  signingPolicies,
} from './policies.ts'
export { builtInPolicies, PolicyCatalogue, type PolicyClaim, policyReport } from './policy-catalogue.ts'
export { type ListedPolicy, type PolicyList, readLpa } from './policy-list.ts'
