// OCSP answers that no responder would give, to test the engine's reaction.
import { sign } from 'node:crypto'
import { digest } from '../../crypto/digest.ts'
import {
  bitString,
  type Der,
  explicit,
  generalizedTime,
  integer,
  nothing,
  octetString,
  oid,
  sequence,
  tlv,
} from '../../der/der-writer.ts'
import type { Certificate } from '../../x509/certificate.ts'
import { algorithmFor, type Crafted } from '../../x509/test-support/crafted-certificate.ts'
import { ocspResponseFromBasic } from '../ocsp.ts'

/** "Good", of this certificate under this issuer, for a day. */
export function craftResponse(responder: Crafted, issuer: Certificate, about: Certificate, at: Date): Der {
  const sha1 = sequence(oid('1.3.14.3.2.26'), nothing)
  const id = sequence(
    sha1,
    octetString(digest('sha1', issuer.subject.der)),
    octetString(issuer.keyHash('sha1')),
    integer(about.serialNumber),
  )
  const until = new Date(at.getTime() + 24 * 60 * 60 * 1000)
  const single = sequence(id, tlv(0x80), generalizedTime(at), explicit(0, generalizedTime(until)))
  const { certificate, privateKey } = responder
  const data = sequence(explicit(1, certificate.subject.der), generalizedTime(at), sequence(single))
  const signature = bitString(sign('sha256', data, privateKey))
  return ocspResponseFromBasic(
    sequence(data, algorithmFor(privateKey), signature, explicit(0, sequence(certificate.der))),
  )
}
