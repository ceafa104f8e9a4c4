import { Certificate } from '../../../x509/certificate.ts'
import { holderOf } from '../../../x509/holder.ts'
import { signerReport } from '../../../x509/signer-report.ts'
import { ask, type Reader, verdictOf } from './reader.ts'

/** A certificate, everything it can be asked, and the judgement of it. */
export const readAnyCertificate: Reader = async (bytes, _, { judge, issuer, recording: { now } }) => {
  const certificate = Certificate.read(bytes)
  ask(() => certificate.publicKey)
  ask(() => certificate.keyType)
  ask(() => certificate.keyBits)
  ask(() => certificate.keyHash())
  ask(() => certificate.serialNumberDecimal)
  ask(() => certificate.serialNumberHex)
  ask(() => String(certificate.subject))
  ask(() => issuer.issued(certificate))
  ask(() => certificate.issued(certificate))
  ask(() => holderOf(certificate))
  ask(() => signerReport(certificate))
  return verdictOf(await judge.certificate(certificate, { at: now, now, certificates: [issuer] }))
}
