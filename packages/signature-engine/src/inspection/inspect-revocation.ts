import { RevocationList } from '../revocation/crl.ts'
import { OcspResponse } from '../revocation/ocsp.ts'
import { inspectCertificate } from './inspect-certificate.ts'
import { type Inspected, inspected } from './inspected.ts'

/** A certificate revocation list. */
export function inspectCrl(der: Uint8Array): Inspected {
  const list = RevocationList.read(der)
  return inspected('crl', `Revocation list of ${list.issuer.commonName ?? list.issuer.toString()}`, {
    issuer: list.issuer.toString(),
    number: list.number?.toString('hex'),
    changesSince: list.baseNumber?.toString('hex'),
    thisUpdate: list.thisUpdate,
    nextUpdate: list.nextUpdate,
    revoked: list.size,
    bytes: der.length,
  })
}

/** An OCSP response. */
export function inspectOcsp(der: Uint8Array): Inspected {
  const { responder, producedAt, nonce, certificates } = OcspResponse.read(der)
  const by = responder.by === 'name' ? responder.name.toString() : `key ${responder.keyHash.toString('hex')}`
  const facts = { responder: by, producedAt, nonce: nonce?.toString('hex') }
  return inspected('ocsp', 'OCSP response', facts, certificates.map(inspectCertificate))
}
