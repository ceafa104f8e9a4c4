import { type DerValue, readDer } from '../der/der-value.ts'
import { contextConstructed, contextPrimitive, tags } from '../der/tags.ts'
import { EngineError } from '../errors/engine-error.ts'
import { type DistributionPoint, distributionPoints, urisOf } from './distribution-points.ts'
import { type GeneralName, generalName } from './general-name.ts'
import { accessMethods, extensionOids } from './oids.ts'
import {
  type NameConstraints,
  nameConstraints,
  type PolicyConstraints,
  type PolicyMapping,
  policyConstraints,
  policyMappings,
  skipCertificates,
} from './path-extensions.ts'

/** Key usages by their bit (RFC 5280 §4.2.1.3). */
export const keyUsageBits = {
  digitalSignature: 0,
  nonRepudiation: 1,
  keyEncipherment: 2,
  dataEncipherment: 3,
  keyAgreement: 4,
  keyCertSign: 5,
  cRLSign: 6,
} as const

export type KeyUsage = keyof typeof keyUsageBits

export interface OtherName {
  readonly oid: string
  /** The value under the explicit tag: a string of one of several types. */
  readonly value: DerValue
}

/** The extensions the engine supports, decoded; the rest by OID. */
export interface StandardExtensions {
  /** Undefined: the certificate does not restrict its key. */
  readonly keyUsage: ReadonlySet<KeyUsage> | undefined
  readonly extendedKeyUsage: readonly string[] | undefined
  readonly extendedKeyUsageCritical: boolean
  readonly isAuthority: boolean
  readonly pathLength: number | undefined
  readonly subjectKeyIdentifier: Buffer | undefined
  readonly authorityKeyIdentifier: Buffer | undefined
  readonly emails: readonly string[]
  readonly dnsNames: readonly string[]
  readonly otherNames: readonly OtherName[]
  /** The whole subjectAltName. */
  readonly alternativeNames: readonly GeneralName[]
  readonly policies: readonly string[]
  readonly nameConstraints: NameConstraints | undefined
  readonly policyMappings: readonly PolicyMapping[]
  readonly policyConstraints: PolicyConstraints | undefined
  /** After how many certificates anyPolicy means nothing. */
  readonly inhibitAnyPolicy: number | undefined
  readonly distributionPoints: readonly DistributionPoint[]
  /** The URIs of the distribution points. */
  readonly crlUrls: readonly string[]
  /** Where delta CRLs are (freshestCRL). */
  readonly deltaCrlUrls: readonly string[]
  readonly ocspUrls: readonly string[]
  readonly issuerUrls: readonly string[]
  /** An OCSP responder that its issuer exempts from revocation checks (RFC 6960 §4.2.2.2.1). */
  readonly ocspNoCheck: boolean
  /** Unsupported critical extensions: such a certificate must not be trusted (RFC 5280 §4.2). */
  readonly unknownCritical: readonly string[]
}

interface RawExtension {
  readonly critical: boolean
  readonly value: Buffer
}

const understood = new Set<string>([
  extensionOids.keyUsage,
  extensionOids.subjectAltName,
  extensionOids.basicConstraints,
  extensionOids.certificatePolicies,
  extensionOids.extendedKeyUsage,
  extensionOids.crlDistributionPoints,
  extensionOids.authorityKeyIdentifier,
  extensionOids.subjectKeyIdentifier,
  extensionOids.authorityInfoAccess,
  extensionOids.ocspNoCheck,
  extensionOids.nameConstraints,
  extensionOids.policyMappings,
  extensionOids.policyConstraints,
  extensionOids.inhibitAnyPolicy,
  extensionOids.freshestCrl,
])

export function readExtensions(tagged: DerValue | undefined): StandardExtensions {
  const members = tagged?.unwrap().expect(tags.sequence).members() ?? []
  const extensions = new Map(members.map(readExtension))
  // RFC 5280 §4.2: not twice; readers that take the first and readers that take the last would disagree.
  if (tagged && extensions.size !== members.length) throw tagged.bad('list of different extensions')
  const decoded = <T>(oid: string, decode: (value: DerValue) => T): T | undefined => {
    const extension = extensions.get(oid)
    return extension && decode(readDer(extension.value))
  }
  const constraints = decoded(extensionOids.basicConstraints, basicConstraints)
  const names = decoded(extensionOids.subjectAltName, (value) => value.expect(tags.sequence).members()) ?? []
  const points = decoded(extensionOids.crlDistributionPoints, distributionPoints) ?? []
  const access = decoded(extensionOids.authorityInfoAccess, accessDescriptions) ?? []
  return {
    keyUsage: decoded(extensionOids.keyUsage, keyUsages),
    extendedKeyUsage: decoded(extensionOids.extendedKeyUsage, (value) =>
      value
        .sequence()
        .rest()
        .map((id) => id.oid()),
    ),
    extendedKeyUsageCritical: extensions.get(extensionOids.extendedKeyUsage)?.critical ?? false,
    isAuthority: constraints?.isAuthority ?? false,
    pathLength: constraints?.pathLength,
    subjectKeyIdentifier: decoded(extensionOids.subjectKeyIdentifier, (value) => value.octets()),
    authorityKeyIdentifier: decoded(extensionOids.authorityKeyIdentifier, keyIdentifier),
    emails: names.filter(({ tag }) => tag === contextPrimitive(1)).map(latin1),
    dnsNames: names.filter(({ tag }) => tag === contextPrimitive(2)).map(latin1),
    otherNames: names.filter(({ tag }) => tag === contextConstructed(0)).flatMap(otherName),
    alternativeNames: names.map(generalName),
    policies: decoded(extensionOids.certificatePolicies, policyOids) ?? [],
    nameConstraints: decoded(extensionOids.nameConstraints, nameConstraints),
    policyMappings: decoded(extensionOids.policyMappings, policyMappings) ?? [],
    policyConstraints: decoded(extensionOids.policyConstraints, policyConstraints),
    inhibitAnyPolicy: decoded(extensionOids.inhibitAnyPolicy, (value) => skipCertificates(value.expect(tags.integer))),
    distributionPoints: points,
    crlUrls: urisOf(points),
    deltaCrlUrls: urisOf(decoded(extensionOids.freshestCrl, distributionPoints) ?? []),
    ocspUrls: urlsOf(access, accessMethods.ocsp),
    issuerUrls: urlsOf(access, accessMethods.caIssuers),
    ocspNoCheck: extensions.has(extensionOids.ocspNoCheck),
    unknownCritical: [...extensions]
      .filter(([oid, { critical }]) => critical && !understood.has(oid))
      .map(([oid]) => oid),
  }
}

/** One Extension of RFC 5280 §4.1. */
export function readExtension(value: DerValue): [oid: string, extension: RawExtension] {
  const fields = value.sequence()
  const oid = fields.next().oid()
  const critical = fields.optional(tags.boolean)?.boolean() ?? false
  const extension = { critical, value: fields.next().octets() }
  fields.end()
  return [oid, extension]
}

function keyUsages(value: DerValue): ReadonlySet<KeyUsage> {
  const bits = value.namedBits()
  const names = Object.keys(keyUsageBits) as KeyUsage[]
  return new Set(names.filter((name) => bits.has(keyUsageBits[name])))
}

function basicConstraints(value: DerValue): { isAuthority: boolean; pathLength: number | undefined } {
  const fields = value.sequence()
  const isAuthority = fields.optional(tags.boolean)?.boolean() ?? false
  return { isAuthority, pathLength: fields.optional(tags.integer)?.smallInteger() }
}

const keyIdentifier = (value: DerValue): Buffer | undefined => value.sequence().optional(contextPrimitive(0))?.content

const latin1 = (value: DerValue): string => value.content.toString('latin1')

/** Empty when it is malformed: the field is ignored, and the certificate is validated without it. */
function otherName(name: DerValue): OtherName[] {
  try {
    const fields = name.inside()
    const oid = fields.next().oid()
    return [{ oid, value: fields.next(contextConstructed(0)).unwrap() }]
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return []
  }
}

const policyOids = (value: DerValue): string[] =>
  value
    .sequence()
    .rest()
    .map((information) => information.sequence().next().oid())

const uris = (generalNames: readonly DerValue[]): string[] =>
  generalNames.filter(({ tag }) => tag === contextPrimitive(6)).map(latin1)

interface AccessDescription {
  readonly method: string
  readonly location: DerValue
}

const accessDescriptions = (value: DerValue): AccessDescription[] =>
  value
    .sequence()
    .rest()
    .map((description) => {
      const fields = description.sequence()
      return { method: fields.next().oid(), location: fields.next() }
    })

const urlsOf = (access: readonly AccessDescription[], method: string): string[] =>
  uris(access.filter((description) => description.method === method).map(({ location }) => location))
