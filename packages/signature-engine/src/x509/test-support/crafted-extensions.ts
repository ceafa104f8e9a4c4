// Extensions with which authorities limit what is below them.
import { type Der, explicit, implicit, integer, octetString, oid, sequence, utf8String } from '../../der/der-writer.ts'
import { extensionOids } from '../oids.ts'
import { extension, uri } from './crafted-certificate.ts'

/** GeneralNames by their form. */
export const names = {
  other: (type: string, text: string): Der => implicit(0, sequence(oid(type), explicit(0, utf8String(text)))),
  email: (text: string): Der => implicit(1, octetString(Buffer.from(text, 'latin1'))),
  dns: (text: string): Der => implicit(2, octetString(Buffer.from(text, 'latin1'))),
  directory: (name: Der): Der => explicit(4, name),
  uri,
  ip: (...bytes: readonly number[]): Der => implicit(7, octetString(Buffer.from(bytes))),
  registered: (id: string): Der => implicit(8, oid(id)),
}

export const alternativeNames = (...members: readonly Der[]): Der =>
  extension(extensionOids.subjectAltName, sequence(...members))

export interface CraftedConstraints {
  readonly permitted?: readonly Der[]
  readonly excluded?: readonly Der[]
  /** Default true. */
  readonly critical?: boolean
  /** A maximum for each subtree, which RFC 5280 forbids. */
  readonly maximum?: number
}

export function nameConstraints({ permitted, excluded, critical = true, maximum }: CraftedConstraints): Der {
  const limit = maximum === undefined ? undefined : implicit(1, integer(maximum))
  const subtrees = (tag: number, bases: readonly Der[] | undefined) =>
    bases && implicit(tag, sequence(...bases.map((base) => sequence(base, limit))))
  const value = sequence(subtrees(0, permitted), subtrees(1, excluded))
  return extension(extensionOids.nameConstraints, value, critical)
}

export const policyMappings = (...pairs: readonly (readonly [issuer: string, subject: string])[]): Der =>
  extension(
    extensionOids.policyMappings,
    sequence(...pairs.map(([issuer, subject]) => sequence(oid(issuer), oid(subject)))),
    true,
  )

export const policyConstraints = (explicitPolicy?: number, mapping?: number, critical = true): Der =>
  extension(
    extensionOids.policyConstraints,
    sequence(
      explicitPolicy === undefined ? undefined : implicit(0, integer(explicitPolicy)),
      mapping === undefined ? undefined : implicit(1, integer(mapping)),
    ),
    critical,
  )

export const inhibitAnyPolicy = (skip: number): Der => extension(extensionOids.inhibitAnyPolicy, integer(skip), true)
