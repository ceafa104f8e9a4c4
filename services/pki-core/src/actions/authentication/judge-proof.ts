// Whether somebody has the key of a certificate, and whether that certificate is to be believed.
import { createHash } from 'node:crypto'
import { isDigestSignedBy } from '@chancela/signature-engine/keys'
import type { Certificate } from '@chancela/signature-engine/x509'
import type { CertificateView, ValidationResults } from '../../contract/models.ts'
import { readCertificate } from '../../parts/trust/known-certificates.ts'
import { inContext, type SecurityContext } from '../../parts/trust/security-contexts.ts'
import { certificateModel } from '../../rules/certificate-model.ts'
import { onlyError, passed, type ResultOptions, resultsOf } from '../../rules/validation-results.ts'

/** What somebody shows: a certificate, and the nonce signed with its key. */
export interface Proof {
  readonly certificate: Buffer
  readonly nonce: Uint8Array
  readonly signature: Buffer
}

export interface Judged {
  readonly certificate: CertificateView | null
  readonly validationResults: ValidationResults
  /** The certificate and its issuers, where its holder showed that the key is theirs; else nothing. */
  readonly path: readonly Certificate[]
}

/** A failed certificate is a result, not an error: whoever asked shows it. */
export async function judgeProof(
  proof: Proof,
  context: SecurityContext,
  options: ResultOptions,
  now: Date,
): Promise<Judged> {
  const certificate = readCertificate(proof.certificate)
  if (!certificate) return { certificate: null, validationResults: onlyError('DecodeError', options.culture), path: [] }
  const digest = createHash('sha256').update(proof.nonce).digest()
  // Nothing is asked about a certificate whose key nobody showed.
  if (!isDigestSignedBy(certificate, 'sha256', digest, proof.signature))
    return {
      certificate: certificateModel(certificate),
      validationResults: onlyError('SignatureAlgorithmValidationFailed', options.culture),
      path: [],
    }
  const judged = await judgeCertificate(certificate, context, options, now)
  const { passedChecks, ...rest } = judged.validationResults
  return {
    ...judged,
    validationResults: { passedChecks: [passed('possession', options.culture), ...passedChecks], ...rest },
  }
}

/** The certificate with its issuers, and what is to be said of it now. */
export async function judgeCertificate(
  certificate: Certificate,
  context: SecurityContext,
  options: ResultOptions,
  now: Date,
): Promise<Judged> {
  const judge = await context.judge()
  const verdict = await judge.certificate(certificate, { at: now, now })
  return {
    certificate: certificateModel(certificate, verdict.path.slice(1)),
    validationResults: resultsOf(verdict, inContext(context, options)),
    path: [certificate, ...verdict.path.slice(1)],
  }
}
