import { createJudge } from '../../../judgement/judge-certificate.ts'
import { TrustAnchors } from '../../../trust/trust-anchors.ts'
import { Certificate } from '../../../x509/certificate.ts'
import { type Reader, verdictOf } from './reader.ts'

/** When the certificates and lists of this kind are valid. */
export const listsJudgedAt = new Date('2027-06-01T12:00:00Z')

/** A list of a part, with what it needs beside it: whether it proves that the certificate is not revoked. */
export const readPartialList: Reader = async (bytes, { beside: { root, holder, issuer, other, list } }) => {
  const judge = createJudge({ anchors: TrustAnchors.of([Certificate.read(root!)]) })
  const verdict = await judge.certificate(Certificate.read(holder!), {
    at: listsJudgedAt,
    now: listsJudgedAt,
    certificates: [issuer, other].flatMap((der) => (der ? [Certificate.read(der)] : [])),
    evidence: { crls: list ? [bytes, list] : [bytes], ocsps: [] },
  })
  return verdictOf(verdict)
}
