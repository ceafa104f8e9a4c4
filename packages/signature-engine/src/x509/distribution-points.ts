import type { DerValue } from '../der/der-value.ts'
import { contextConstructed, contextPrimitive, tags } from '../der/tags.ts'
import type { DistinguishedName } from './distinguished-name.ts'
import { directoryNameOf, type GeneralName, generalNames, textOf } from './general-name.ts'
import { relativeNameKey } from './name-comparison.ts'

/** The reasons of RFC 5280 §4.2.1.13 as bits: keyCompromise (1) to aACompromise (8). */
export const ALL_REASONS = 0b1_1111_1110

/** DistributionPointName: names of its own, or a relative name below that of whoever issues the list. */
export interface DistributionPointName {
  readonly fullName: readonly GeneralName[]
  readonly relativeName: DerValue | undefined
}

/** One place where a certificate says that its revocation would be told. */
export interface DistributionPoint {
  readonly name: DistributionPointName | undefined
  /** The reasons that are told there. */
  readonly reasons: number
  /** Who issues the list there; undefined: the issuer of the certificate. */
  readonly listIssuers: readonly DistinguishedName[] | undefined
}

export const distributionPoints = (value: DerValue): DistributionPoint[] =>
  value.expect(tags.sequence).members().map(distributionPoint)

function distributionPoint(value: DerValue): DistributionPoint {
  const fields = value.sequence()
  const name = fields.optional(contextConstructed(0))
  const reasons = fields.optional(contextPrimitive(1))
  const issuers = fields.optional(contextConstructed(2))
  return {
    name: name && pointName(name),
    reasons: reasons ? reasonFlags(reasons) : ALL_REASONS,
    listIssuers: issuers && directoryNames(generalNames(issuers)),
  }
}

/** A DistributionPointName under its explicit tag; neither choice, or another one, matches nothing. */
export function pointName(tagged: DerValue): DistributionPointName {
  const [choice] = tagged.members()
  if (choice?.tag === contextConstructed(1)) return { fullName: [], relativeName: choice }
  return { fullName: choice?.tag === contextConstructed(0) ? generalNames(choice) : [], relativeName: undefined }
}

/** ReasonFlags under any tag. */
export function reasonFlags({ content }: DerValue): number {
  const flags = content.subarray(1)
  let reasons = 0
  for (let bit = 1; bit <= 8; bit++) if ((flags[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) reasons |= 1 << bit
  return reasons
}

export const directoryNames = (names: readonly GeneralName[]): DistinguishedName[] =>
  names.filter(({ form }) => form === 'directoryName').map(directoryNameOf)

/** The names of a point, comparable with those of another. `base`: the issuer of its list. */
export const pointKeys = ({ fullName, relativeName }: DistributionPointName, base: DistinguishedName): string[] =>
  relativeName ? [directoryNameKey(base.key + relativeNameKey(relativeName))] : fullName.map(generalNameKey)

/** A directory name with this key, as the name of a point. */
export const directoryNameKey = (key: string): string => `directoryName ${key}`

function generalNameKey(name: GeneralName): string {
  if (name.form === 'directoryName') return directoryNameKey(directoryNameOf(name).key)
  if (name.form === 'uniformResourceIdentifier') return `uri ${comparableUri(textOf(name))}`
  return name.tagged.raw.toString('hex')
}

/** RFC 5280 §7.4: scheme and host are compared without regard to case. */
const comparableUri = (uri: string): string =>
  uri.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, (start) => start.toLowerCase())

/** The URIs under which the lists are, in their order. */
export const urisOf = (points: readonly DistributionPoint[]): string[] =>
  points
    .flatMap(({ name }) => name?.fullName ?? [])
    .filter(isUri)
    .map(textOf)

const isUri = ({ form }: GeneralName): boolean => form === 'uniformResourceIdentifier'
