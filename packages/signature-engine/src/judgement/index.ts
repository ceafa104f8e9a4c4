// Whether certificates are to be believed.
//
//   const judge = createJudge({
//     anchors: TrustAnchors.of(roots),
//     revocation: new RevocationSource(),
//     exchange: exchangeOverHttp,
//   })
//   const verdict = await judge.certificate(certificate, { at: signedAt, now })
// For whoever passes in an exchange of their own.
export { refuseHttp } from '../http/errors.ts'
export {
  createHttpExchange,
  exchangeOverHttp,
  type HttpExchange,
  type HttpExchangeOptions,
  type HttpRequest,
  type HttpResponse,
} from '../http/exchange.ts'
export type { RevocationAnswer } from '../revocation/revocation-answer.ts'
export type { RevocationCache, StoredRevocationData } from '../revocation/revocation-cache.ts'
export type { RevocationEvidence } from '../revocation/revocation-evidence.ts'
export {
  type RevocationFinding,
  type RevocationMethod,
  RevocationSource,
  type RevocationSourceOptions,
} from '../revocation/revocation-source.ts'
export {
  downloadOfficialRoots,
  type ImportedRoots,
  importOfficialRoots,
  officialRootsAddress,
} from '../trust/import-official-roots.ts'
export { type OfficialRoot, officialRoots } from '../trust/official-roots.ts'
export { type TimedAnchor, TrustAnchors, type TrustedPeriod } from '../trust/trust-anchors.ts'
export type { CertificatePurpose } from './certificate-purpose.ts'
export {
  createJudge,
  type Judge,
  type JudgedCertificateOptions,
  type JudgeOptions,
  type ValidationData,
} from './judge-certificate.ts'
export type { PolicyInputs } from './policy-graph.ts'
export { reasonText } from './reason-text.ts'
export {
  type CertificateCheck,
  type CertificateReason,
  type CertificateReasonCode,
  type CertificateVerdict,
  certificateReasons,
  type Indication,
  type RevocationState,
  type RevocationStatus,
} from './verdict.ts'
