import type { DerValue } from '../der/der-value.ts'
import { contextConstructed, contextPrimitive, tags } from '../der/tags.ts'
import { type GeneralName, generalName } from './general-name.ts'

// What an authority demands of the certificates below it (RFC 5280 §4.2.1.5, §4.2.1.10, §4.2.1.11, §4.2.1.14).

/** One GeneralSubtree. */
export interface Subtree {
  readonly base: GeneralName
  /** Minimum 0 and no maximum, which is all that §4.2.1.10 allows. */
  readonly isWhole: boolean
}

export interface NameConstraints {
  readonly permitted: readonly Subtree[]
  readonly excluded: readonly Subtree[]
}

export function nameConstraints(value: DerValue): NameConstraints {
  const fields = value.sequence()
  const subtrees = (tag: number) => fields.optional(contextConstructed(tag))?.members().map(subtree) ?? []
  const constraints = { permitted: subtrees(0), excluded: subtrees(1) }
  fields.end()
  return constraints
}

function subtree(value: DerValue): Subtree {
  const fields = value.sequence()
  const base = generalName(fields.next())
  const minimum = fields.optional(contextPrimitive(0))?.content ?? Buffer.of(0)
  return { base, isWhole: minimum.every((byte) => byte === 0) && fields.done }
}

/** A policy of the issuer's domain, and the one of the subject's domain that it takes as equal. */
export interface PolicyMapping {
  readonly issuerPolicy: string
  readonly subjectPolicy: string
}

export const policyMappings = (value: DerValue): PolicyMapping[] =>
  value
    .expect(tags.sequence)
    .members()
    .map((mapping) => {
      const fields = mapping.sequence()
      return { issuerPolicy: fields.next().oid(), subjectPolicy: fields.next().oid() }
    })

/** After how many certificates each demand holds; undefined: never. */
export interface PolicyConstraints {
  readonly requireExplicitPolicy: number | undefined
  readonly inhibitPolicyMapping: number | undefined
}

export function policyConstraints(value: DerValue): PolicyConstraints {
  const fields = value.sequence()
  const skip = (tag: number) => {
    const tagged = fields.optional(contextPrimitive(tag))
    return tagged && skipCertificates(tagged)
  }
  const constraints = { requireExplicitPolicy: skip(0), inhibitPolicyMapping: skip(1) }
  fields.end()
  return constraints
}

/** SkipCerts, under any tag. */
export function skipCertificates(value: DerValue): number {
  if (value.length === 0 || value.length > 6 || value.content[0]! >= 0x80) throw value.bad('number of certificates')
  return value.content.readUIntBE(0, value.length)
}
