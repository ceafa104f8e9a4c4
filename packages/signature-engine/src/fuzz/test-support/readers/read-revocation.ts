import { crlIdentity, RevocationList } from '../../../revocation/crl.ts'
import { basicOcspResponse, OcspResponse, ocspIdentity, ocspResponseFromBasic } from '../../../revocation/ocsp.ts'
import { ask, type Reader, verdictOf } from './reader.ts'

/** A revocation list: its outline, its entries, and a validation that has no other proof that nothing is revoked. */
export const readAnyList: Reader = async (
  bytes,
  _,
  { offline, lists, authorities, issuer, holder, recording: { now } },
) => {
  ask(() => crlIdentity(bytes))
  ask(() => {
    const list = RevocationList.read(bytes)
    ask(() => list.size)
    ask(() => list.reasonsFor(holder))
    ask(() => list.revocationOf(holder))
    ask(() => list.isFrom(issuer))
  })
  return verdictOf(
    await offline.certificate(holder, {
      at: now,
      now,
      certificates: authorities,
      evidence: { crls: [bytes, ...lists], ocsps: [] },
    }),
  )
}

/** An OCSP answer, in the same ways. */
export const readAnyOcsp: Reader = async (
  bytes,
  _,
  { offline, lists, authorities, issuer, holder, recording: { now } },
) => {
  ask(() => ocspIdentity(bytes))
  ask(() => basicOcspResponse(bytes))
  ask(() => OcspResponse.read(ocspResponseFromBasic(bytes)))
  ask(() => {
    const response = OcspResponse.read(bytes)
    ask(() => response.statusOf(holder, issuer))
    ask(() => response.signerFor(issuer))
  })
  return verdictOf(
    await offline.certificate(holder, {
      at: now,
      now,
      certificates: authorities,
      evidence: { crls: lists, ocsps: [bytes] },
    }),
  )
}
