import { digestIdentifiers } from '../cms/algorithm-identifiers.ts'
import { attributeOids } from '../cms/oids.ts'
import { attribute, issuerSerial } from '../cms/signed-attributes.ts'
import { digest } from '../crypto/digest.ts'
import { type Der, explicit, generalizedTime, octetString, sequence, time, tlv } from '../der/der-writer.ts'
import { tags } from '../der/tags.ts'
import type { ValidationData } from '../judgement/judge-certificate.ts'
import { crlIdentity, RevocationList } from '../revocation/crl.ts'
import { basicOcspResponse, OcspResponse, ocspIdentity } from '../revocation/ocsp.ts'
import type { Certificate } from '../x509/certificate.ts'

// The attributes of RFC 5126 §6.2 and §6.3 that ICP-Brasil keeps. Their module uses explicit tags.

/** The path from the signer's issuer to the anchor. */
function issuersOf(signer: Certificate, { certificates, anchor }: ValidationData): Certificate[] {
  const path: Certificate[] = []
  for (let current = signer; current !== anchor && path.length < certificates.length; ) {
    const issuer = [anchor, ...certificates].find(
      (candidate) => candidate.subject.equals(current.issuer) && candidate.issued(current),
    )
    if (!issuer || path.includes(issuer)) break
    path.push(issuer)
    current = issuer
  }
  return path
}

/** complete-certificate-references: every issuer; signing-certificate names the signer already (RFC 5126 §6.2.1). */
export const certificateRefs = (signer: Certificate, data: ValidationData): Der =>
  attribute(
    attributeOids.certificateRefs,
    sequence(...issuersOf(signer, data).map((issuer) => sequence(otherHash(issuer.der), issuerSerial(issuer)))),
  )

/** OtherHash: SHA-256, hence always with its algorithm. */
const otherHash = (bytes: Uint8Array): Der => sequence(digestIdentifiers.sha256, octetString(digest('sha256', bytes)))

/**
 * complete-revocation-references: one CrlOcspRef for the signer, then one for each issuer, in the order of the
 * certificate references (RFC 5126 §6.2.2). The anchor has none: it cannot be revoked.
 */
export function revocationRefs(signer: Certificate, data: ValidationData): Der {
  const path = [signer, ...issuersOf(signer, data)]
  const judged = path.slice(0, -1).map((certificate, at) => crlOcspRef(certificate, path[at + 1]!, data))
  return attribute(attributeOids.revocationRefs, sequence(...judged))
}

function crlOcspRef(certificate: Certificate, issuer: Certificate, { crls, ocsps }: ValidationData): Der {
  const lists = crls.filter((crl) => RevocationList.read(crl).isAbout(certificate))
  const answers = ocsps.filter((ocsp) => OcspResponse.read(ocsp).statusOf(certificate, issuer) !== undefined)
  return sequence(
    lists.length > 0 ? explicit(0, sequence(sequence(...lists.map(crlRef)))) : undefined,
    answers.length > 0 ? explicit(1, sequence(sequence(...answers.map(ocspRef)))) : undefined,
  )
}

/** CrlValidatedID. */
function crlRef(crl: Uint8Array): Der {
  const { issuer, thisUpdate, number } = crlIdentity(crl)
  const identifier = sequence(issuer.der, time(thisUpdate), number ? tlv(tags.integer, number) : undefined)
  return sequence(otherHash(crl), identifier)
}

/** OcspResponsesID; the hash is of the BasicOCSPResponse, which is what revocation-values store. */
function ocspRef(ocsp: Uint8Array): Der {
  const { responder, producedAt } = ocspIdentity(ocsp)
  const responderId =
    responder.by === 'name' ? explicit(1, responder.name.der) : explicit(2, octetString(responder.keyHash))
  return sequence(sequence(responderId, generalizedTime(producedAt)), otherHash(basicOcspResponse(ocsp)))
}

/** certificate-values (RFC 5126 §6.3.3). */
export const certificateValues = (certificates: readonly Certificate[]): Der =>
  attribute(attributeOids.certificateValues, sequence(...certificates.map(({ der }) => der)))

/** revocation-values (RFC 5126 §6.3.4). */
export const revocationValues = (crls: readonly Uint8Array[], ocsps: readonly Uint8Array[]): Der =>
  attribute(
    attributeOids.revocationValues,
    sequence(
      crls.length > 0 ? explicit(0, sequence(...crls.map((crl) => Buffer.from(crl)))) : undefined,
      ocsps.length > 0 ? explicit(1, sequence(...ocsps.map(basicOcspResponse))) : undefined,
    ),
  )
