import { crlIdentity, RevocationList } from '../../../revocation/crl.ts'
import { basicOcspResponse, OcspResponse, ocspIdentity, ocspResponseFromBasic } from '../../../revocation/ocsp.ts'
import { ask, type Reader } from './reader.ts'

/** A revocation list: its outline, its entries, and a validation that uses it. */
export const readAnyList: Reader = async (bytes, _, { judge, issuer, holder, recording: { now } }) => {
  ask(() => crlIdentity(bytes))
  ask(() => {
    const list = RevocationList.read(bytes)
    ask(() => list.size)
    ask(() => list.reasonsFor(holder))
    ask(() => list.revocationOf(holder))
    ask(() => list.isFrom(issuer))
  })
  await judge.certificate(holder, { at: now, now, certificates: [issuer], evidence: { crls: [bytes], ocsps: [] } })
  return undefined
}

/** An OCSP answer, in the same ways. */
export const readAnyOcsp: Reader = async (bytes, _, { judge, issuer, holder, recording: { now } }) => {
  ask(() => ocspIdentity(bytes))
  ask(() => basicOcspResponse(bytes))
  ask(() => OcspResponse.read(ocspResponseFromBasic(bytes)))
  ask(() => {
    const response = OcspResponse.read(bytes)
    ask(() => response.statusOf(holder, issuer))
    ask(() => response.signerFor(issuer))
  })
  await judge.certificate(holder, { at: now, now, certificates: [issuer], evidence: { crls: [], ocsps: [bytes] } })
  return undefined
}
