import type { DigestName } from '../crypto/algorithms.ts'
import { readDigestIdentifier } from '../crypto/read-identifiers.ts'
import type { DerValue } from '../der/der-value.ts'
import { contextConstructed, tags } from '../der/tags.ts'
import { EngineError } from '../errors/engine-error.ts'
import { ocspResponseFromBasic } from '../revocation/ocsp.ts'
import type { RevocationEvidence } from '../revocation/revocation-evidence.ts'
import { Certificate } from '../x509/certificate.ts'
import { attributeOids, POLICY_URI_QUALIFIER } from './oids.ts'
import { type SignerInfo, valuesOf } from './signed-data.ts'

/** The policy that a signature claims. */
export interface PolicyClaimed {
  readonly oid: string
  readonly hash: { readonly digest: DigestName; readonly value: Buffer } | null
  readonly uri: string | null
}

/** The time the signer claims; null without one. Throws what the DER reader throws when the attribute is malformed. */
export const signingTimeOf = ({ signedAttributes }: SignerInfo): Date | null =>
  valuesOf(signedAttributes, attributeOids.signingTime)[0]?.time() ?? null

/** signature-policy-identifier; null without one, or with the implied policy. */
export function policyOf({ signedAttributes }: SignerInfo): PolicyClaimed | null {
  const [value] = valuesOf(signedAttributes, attributeOids.signaturePolicy)
  // SignaturePolicyImplied is NULL: the signer names no policy.
  if (!value || value.tag === tags.null) return null
  const fields = value.sequence()
  const oid = fields.next().oid()
  const hash = fields.next().sequence()
  const name = readDigestIdentifier(hash.next())
  const digest = hash.next().octets()
  const qualifiers = fields.optional(tags.sequence)?.members() ?? []
  return { oid, hash: name ? { digest: name, value: digest } : null, uri: policyUri(qualifiers) }
}

function policyUri(qualifiers: readonly DerValue[]): string | null {
  for (const qualifier of qualifiers) {
    const fields = qualifier.sequence()
    if (fields.next().oid() === POLICY_URI_QUALIFIER) return fields.next().text()
  }
  return null
}

/** Certificates and revocation data in the unsigned attributes (certificate-values, revocation-values). */
export function valuesInAttributes({ unsignedAttributes }: SignerInfo): {
  certificates: Certificate[]
  evidence: RevocationEvidence
} {
  const certificates = valuesOf(unsignedAttributes, attributeOids.certificateValues)
    .flatMap((value) => value.members())
    .flatMap(({ raw }) => readable(() => Certificate.read(raw)))
  const revocation = valuesOf(unsignedAttributes, attributeOids.revocationValues)
  return {
    certificates,
    evidence: {
      crls: revocation.flatMap((value) => listIn(value, 0)),
      ocsps: revocation
        .flatMap((value) => listIn(value, 1))
        .flatMap((basic) => readable(() => ocspResponseFromBasic(basic))),
    },
  }
}

/** RevocationValues: `[0] SEQUENCE OF CertificateList`, `[1] SEQUENCE OF BasicOCSPResponse`, both explicit. */
function listIn(value: DerValue, tag: number): Buffer[] {
  const tagged = value.members().find((member) => member.tag === contextConstructed(tag))
  return (
    tagged
      ?.unwrap()
      .members()
      .map(({ raw }) => raw) ?? []
  )
}

/** Empty for what cannot be parsed: it proves nothing, and the validation reports what is missing. */
function readable<T>(read: () => T): T[] {
  try {
    return [read()]
  } catch (error) {
    if (error instanceof EngineError) return []
    throw error
  }
}
