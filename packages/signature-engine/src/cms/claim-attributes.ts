import { type Der, explicit, oid, sequence, utf8String } from '../der/der-writer.ts'
import { commitmentIdentifier, type ProductionPlace, type SignerClaims } from '../signing/signer-claims.ts'
import { attributeOids, contentTypes, roleAttributes } from './oids.ts'
import { attribute } from './signed-attributes.ts'

/** Which form of signer-attributes is written: ICP-Brasil names the first (DOC-ICP-15.03), ETSI baseline the second. */
export type RoleForm = 'signer-attributes' | 'signer-attributes-v2'

/** The signed attributes that carry these claims. */
export function claimAttributes({ roles = [], commitments = [], place }: SignerClaims, form: RoleForm): Der[] {
  return [
    ...(roles.length > 0 ? [roleAttribute(roles, form)] : []),
    ...(commitments.length > 0 ? [commitmentAttribute(commitments)] : []),
    ...(place ? [locationAttribute(place)] : []),
  ]
}

const ROLE_TYPES: Readonly<Record<RoleForm, string>> = {
  'signer-attributes': attributeOids.signerAttributes,
  'signer-attributes-v2': attributeOids.signerAttributesV2,
}

/**
 * EN 319 122-1 §5.2.6.1, RFC 5126 §5.11.3: claimed roles are attributes of the signer. Neither says which attribute of
 * X.520; `name` is what other products write and read.
 */
const roleAttribute = (roles: readonly string[], form: RoleForm): Der =>
  attribute(
    ROLE_TYPES[form],
    sequence(explicit(0, sequence(attribute(roleAttributes.name, ...roles.map((role) => utf8String(role)))))),
  )

/** commitment-type-indication (EN 319 122-1 §5.2.3): one value for each type. */
const commitmentAttribute = (commitments: readonly string[]): Der =>
  attribute(attributeOids.commitmentType, ...commitments.map((one) => sequence(oid(commitmentIdentifier(one).oid))))

/** signer-location (EN 319 122-1 §5.2.5): country, locality, and lines of a postal address for the rest. */
function locationAttribute({ country, city, street, postalCode, state }: ProductionPlace): Der {
  const lines = [street, postalCode, state].filter((line) => line !== undefined)
  return attribute(
    attributeOids.signerLocation,
    sequence(
      country === undefined ? undefined : explicit(0, utf8String(country)),
      city === undefined ? undefined : explicit(1, utf8String(city)),
      lines.length === 0 ? undefined : explicit(2, sequence(...lines.map((line) => utf8String(line)))),
    ),
  )
}

/** mime-type (EN 319 122-1 §5.2.4.2). */
export const mimeTypeAttribute = (mimeType: string): Der => attribute(attributeOids.mimeType, utf8String(mimeType))

/** content-hints (EN 319 122-1 §5.2.4.1): what the content is, in words. */
export const contentHintsAttribute = (description: string): Der =>
  attribute(attributeOids.contentHints, sequence(utf8String(description), oid(contentTypes.data)))

/** content-time-stamp (EN 319 122-1 §5.2.8): the content existed at this time, before it was signed. */
export const contentTimestampAttribute = (tokens: readonly Uint8Array[]): Der =>
  attribute(attributeOids.contentTimestamp, ...tokens.map((token) => Buffer.from(token)))
