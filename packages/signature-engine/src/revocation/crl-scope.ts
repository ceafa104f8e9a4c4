import type { DerValue } from '../der/der-value.ts'
import { contextConstructed, contextPrimitive } from '../der/tags.ts'
import type { Certificate } from '../x509/certificate.ts'
import type { DistinguishedName } from '../x509/distinguished-name.ts'
import {
  ALL_REASONS,
  type DistributionPoint,
  type DistributionPointName,
  directoryNameKey,
  pointKeys,
  pointName,
  reasonFlags,
} from '../x509/distribution-points.ts'

/** What a list is about (IssuingDistributionPoint, RFC 5280 §5.2.5). */
export interface ListScope {
  /** The extension as it stands: a delta CRL is about the same when it has the same bytes. */
  readonly der: Buffer
  readonly name: DistributionPointName | undefined
  readonly onlyUsers: boolean
  readonly onlyAuthorities: boolean
  readonly onlyAttributes: boolean
  readonly reasons: number
  /** Whether it may have entries of other issuers. */
  readonly indirect: boolean
}

const everything: ListScope = {
  der: Buffer.alloc(0),
  name: undefined,
  onlyUsers: false,
  onlyAuthorities: false,
  onlyAttributes: false,
  reasons: ALL_REASONS,
  indirect: false,
}

/** Every member is read: a list whose scope has something else is refused, because it could be about anything. */
export function listScope(value: DerValue | undefined): ListScope {
  if (!value) return everything
  const fields = value.sequence()
  const isSet = (tag: number) => fields.optional(contextPrimitive(tag))?.content.some((byte) => byte !== 0) ?? false
  const name = fields.optional(contextConstructed(0))
  const [onlyUsers, onlyAuthorities] = [isSet(1), isSet(2)]
  const reasons = fields.optional(contextPrimitive(3))
  const [indirect, onlyAttributes] = [isSet(4), isSet(5)]
  fields.end()
  return {
    der: value.raw,
    name: name && pointName(name),
    onlyUsers,
    onlyAuthorities,
    onlyAttributes,
    reasons: reasons ? reasonFlags(reasons) : ALL_REASONS,
    indirect,
  }
}

/** The reasons for which the list would have the certificate; none when it is about others (RFC 5280 §6.3.3 b and d). */
export function reasonsCovered(scope: ListScope, listIssuer: DistinguishedName, certificate: Certificate): number {
  const { isAuthority, distributionPoints } = certificate.extensions
  if (scope.onlyAttributes || (isAuthority ? scope.onlyUsers : scope.onlyAuthorities)) return 0
  const points = distributionPoints.filter((point) => isListOf(point, scope, listIssuer, certificate))
  const named = points.reduce((reasons, point) => reasons | point.reasons, 0)
  return scope.reasons & (isImplied(scope, listIssuer, certificate) ? ALL_REASONS : named)
}

function isListOf(
  { name, listIssuers }: DistributionPoint,
  scope: ListScope,
  listIssuer: DistinguishedName,
  { issuer }: Certificate,
): boolean {
  const isIssuer = listIssuers
    ? scope.indirect && listIssuers.some((one) => one.equals(listIssuer))
    : listIssuer.equals(issuer)
  if (!isIssuer || !scope.name) return isIssuer
  const keys = name ? pointKeys(name, listIssuers?.[0] ?? issuer) : listIssuers?.map(({ key }) => directoryNameKey(key))
  return haveCommon(pointKeys(scope.name, listIssuer), keys ?? [])
}

/** A list that no point names is one of the issuer: of everything, or of a point that is named like the issuer. */
const isImplied = ({ name }: ListScope, listIssuer: DistinguishedName, { issuer }: Certificate): boolean =>
  listIssuer.equals(issuer) && (!name || pointKeys(name, listIssuer).includes(directoryNameKey(issuer.key)))

const haveCommon = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((one) => others.includes(one))
