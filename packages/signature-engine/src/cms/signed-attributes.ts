import { type DigestName, digestAlgorithms } from '../crypto/algorithms.ts'
import { digest } from '../crypto/digest.ts'
import { type Der, explicit, ia5String, octetString, oid, sequence, setOf, time, tlv } from '../der/der-writer.ts'
import { tags } from '../der/tags.ts'
import type { Certificate } from '../x509/certificate.ts'
import { digestIdentifiers } from './algorithm-identifiers.ts'
import { refuseCms } from './errors.ts'
import { attributeOids, contentTypes, POLICY_URI_QUALIFIER } from './oids.ts'

/** A signature's reference to its policy; every `SigningPolicy` has it. */
export interface PolicyReference {
  readonly oid: string
  /** The SHA-256 that the policy artefact carries inside, not that of its file (DOC-ICP-15.03 annex 1 note 2). */
  readonly hash: Uint8Array
  readonly uri: string
}

/** One Attribute of RFC 5652 §5.3. */
export const attribute = (type: string, ...values: Der[]): Der => sequence(oid(type), setOf(...values))

export const contentTypeAttribute = attribute(attributeOids.contentType, oid(contentTypes.data))

export const messageDigestAttribute = (contentDigest: Uint8Array): Der =>
  attribute(attributeOids.messageDigest, octetString(contentDigest))

export const signingTimeAttribute = (at: Date): Der => attribute(attributeOids.signingTime, time(at))

/**
 * Binds the signature to this very certificate, and only to it (DOC-ICP-15.03 §5.2.1.1.3). RFC 5035 §4: SHA-256 is the
 * DEFAULT, which DER leaves out.
 */
export const signingCertificateAttribute = (certificate: Certificate, name: DigestName): Der =>
  attribute(
    attributeOids.signingCertificateV2,
    sequence(
      sequence(
        sequence(
          name === 'sha256' ? undefined : digestIdentifiers[name],
          octetString(digest(name, certificate.der)),
          issuerSerial(certificate),
        ),
      ),
    ),
  )

/** IssuerSerial of RFC 5035 §5; the issuer stands among GeneralNames. */
export const issuerSerial = (certificate: Certificate): Der =>
  sequence(sequence(explicit(4, certificate.issuer.der)), serialNumber(certificate))

/** The serial number exactly as the certificate writes it, even if it is negative. */
export const serialNumber = (certificate: Certificate): Der => tlv(tags.integer, certificate.serialNumber)

/** signature-policy-identifier (EN 319 122-1 §5.2.9): the rules the signer signed under, and their address. */
export function policyAttribute({ oid: policy, hash, uri }: PolicyReference): Der {
  const expected = digestAlgorithms.sha256.bytes
  if (hash.length !== expected) {
    throw refuseCms('cms.wrong-digest-length', { digest: 'sha256', expected, found: hash.length })
  }
  return attribute(
    attributeOids.signaturePolicy,
    sequence(
      oid(policy),
      sequence(digestIdentifiers.sha256, octetString(hash)),
      sequence(sequence(oid(POLICY_URI_QUALIFIER), ia5String(uri))),
    ),
  )
}
