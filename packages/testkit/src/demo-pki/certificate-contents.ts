// The content of the certificates of authorities, services and holders.
import { DAY, plus } from '@chancela/service-kernel/clock'
import type { Der } from '@chancela/signature-engine/der'
import { addresses } from './addresses.ts'
import { type CertificateContent, type IssuedCertificate, subjectOf, type Validity } from './certificate.ts'
import {
  type AuthorityDeclaration,
  authorities,
  policies,
  type ServiceDeclaration,
  type Terms,
  usages,
  validities,
} from './declaration.ts'
import {
  authorityInfoAccess,
  authorityKeyIdentifier,
  basicConstraints,
  certificatePolicies,
  crlDistributionPoints,
  extendedKeyUsage,
  keyUsage,
  ocspNoCheck,
  subjectAlternativeName,
  subjectKeyIdentifier,
} from './extensions.ts'
import { alternativeNames, distinguishedName, type Holder, holderName } from './icp-names.ts'
import { type DemoKey, publicKeyInfo } from './keys.ts'

/** Where and when a certificate is issued; a root is its own issuer. */
export interface Issuing {
  readonly baseUrl: string
  readonly now: Date
  readonly issuer?: IssuedCertificate
}

export function authorityContent(declared: AuthorityDeclaration, key: DemoKey, issuing: Issuing): CertificateContent {
  const subject = distinguishedName(['commonName', declared.name])
  return {
    subject,
    issuer: issuing.issuer ? subjectOf(issuing.issuer) : subject,
    validity: lasting(issuing.now, declared.startsInDays, declared.days),
    key,
    extensions: [
      basicConstraints(declared.pathLength),
      keyUsage('keyCertSign', 'cRLSign'),
      ...commonExtensions(key, policies.authority.oid, issuing),
    ],
  }
}

export function serviceContent(
  declared: ServiceDeclaration,
  key: DemoKey,
  issuing: Required<Issuing>,
): CertificateContent {
  const policy = policies[declared.policy]
  return {
    subject: distinguishedName(['commonName', declared.name]),
    issuer: subjectOf(issuing.issuer),
    validity: lasting(issuing.now, validities.current(), policy.days),
    key,
    extensions: [
      keyUsage(...usages[declared.usage].keyUsage),
      extendedKeyUsage(usages[declared.usage].purposes),
      ...commonExtensions(key, policy.oid, issuing),
      ...(declared.usage === 'ocspSigning' ? [ocspNoCheck] : []),
    ],
  }
}

export function holderContent(
  holder: Holder,
  terms: Terms,
  key: DemoKey,
  issuing: Required<Issuing>,
): CertificateContent {
  const { policy = 'A1', profile = 'classic', validity = 'current', otherNameForm = 'PrintableString' } = terms
  const { oid, days } = policies[policy]
  const issuerName = authorities[issuing.issuer.label]!.name
  const names = alternativeNames(holder, profile, otherNameForm)
  return {
    subject: holderName(holder, { profile, policy, issuerName }),
    issuer: subjectOf(issuing.issuer),
    validity: lasting(issuing.now, validities[validity](days), days),
    key,
    extensions: [
      ...usageOf(holder, key),
      ...commonExtensions(key, oid, issuing),
      ...(names ? [subjectAlternativeName(names)] : []),
    ],
  }
}

function usageOf(holder: Holder, key: DemoKey): Der[] {
  const usage = holder.kind === 'equipment' ? usages.equipment : usages.signer
  // An elliptic-curve key encrypts nothing itself: it agrees on a key (RFC 5480 §3).
  const forKey = key.kind.startsWith('RSA')
    ? usage.keyUsage
    : usage.keyUsage.map((bit) => (bit === 'keyEncipherment' ? 'keyAgreement' : bit))
  return [keyUsage(...forKey), extendedKeyUsage(usage.purposes)]
}

/** Key identifiers, policy, and the addresses of the issuer's certificate, its revocation list and its OCSP. */
function commonExtensions(key: DemoKey, policy: string, { baseUrl, issuer }: Issuing): Der[] {
  const at = addresses(baseUrl)
  const own = [subjectKeyIdentifier(publicKeyInfo(key)), certificatePolicies(policy, at.practiceStatement)]
  if (!issuer) return own
  const ocsp = authorities[issuer.label]?.ocsp ? at.ocsp : undefined
  return [
    ...own,
    authorityKeyIdentifier(publicKeyInfo(issuer.key)),
    crlDistributionPoints(at.revocationLists(issuer.label)),
    authorityInfoAccess(at.issuerCertificates(issuer.label), ocsp),
  ]
}

function lasting(now: Date, startsInDays: number, days: number): Validity {
  const from = plus(now, startsInDays * DAY)
  return { from, to: plus(from, days * DAY) }
}
