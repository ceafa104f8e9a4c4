import { randomBytes } from 'node:crypto'
import { digest } from '../crypto/digest.ts'
import { explicit, nothing, octetString, oid, sequence, tlv } from '../der/der-writer.ts'
import { tags } from '../der/tags.ts'
import type { Certificate } from '../x509/certificate.ts'

export const OCSP_NONCE = '1.3.6.1.5.5.7.48.1.2'
const SHA1 = '1.3.14.3.2.26'

/** RFC 9654 §2.1: 32 bytes are what every server must take. */
const NONCE_BYTES = 32

export interface OcspRequest {
  readonly der: Buffer
  /** The nonce proper, as an answer must repeat it. */
  readonly nonce: Buffer
}

/**
 * A request for one certificate. The CertID uses SHA-1, the one hash every responder supports (RFC 5019 §2.1.1); it
 * only names the issuer, so collisions do no harm.
 */
export function ocspRequest(certificate: Certificate, issuer: Certificate): OcspRequest {
  const nonce = randomBytes(NONCE_BYTES)
  const certificateId = sequence(
    sequence(oid(SHA1), nothing),
    octetString(digest('sha1', issuer.subject.der)),
    octetString(issuer.keyHash('sha1')),
    tlv(tags.integer, certificate.serialNumber),
  )
  const nonceExtension = sequence(oid(OCSP_NONCE), octetString(octetString(nonce)))
  return {
    der: sequence(sequence(sequence(sequence(certificateId)), explicit(2, sequence(nonceExtension)))),
    nonce,
  }
}
