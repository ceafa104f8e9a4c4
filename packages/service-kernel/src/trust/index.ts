// Trust: which roots a service trusts, whether a certificate may sign now, and whether its signature is right.
export { BegunSignatures } from './begun-signatures.ts'
export { CertificateGate, type JudgedCertificate } from './certificate-gate.ts'
export { guardedExchange } from './guarded-exchange.ts'
export { openTrust, type Trust, type TrustOptions } from './open-trust.ts'
export { notRevoked, type OwnKey, revocationCheck, triedKey, watchOwnKey } from './own-keys.ts'
export {
  type AskedSignature,
  type AskedSigners,
  type ProblemText,
  type SignerSetProblems,
  signatureProblems,
  signatureProblemTexts,
  signerSetProblems,
  untrustingJudge,
} from './signature-problems.ts'
