import type { Certificate } from '@chancela/signature-engine/x509'
import type { CertificateView, ValidationResults } from '../../contract/models.ts'
import { certificateModel } from '../../rules/certificate-model.ts'
import { isValid, type ResultOptions, resultsOf } from '../../rules/validation-results.ts'
import { inContext, type SecurityContext } from '../trust/security-contexts.ts'

/** Whether a certificate may sign now, in the words of the contract, with its issuers up to the root. */
export interface JudgedSigner {
  readonly isValid: boolean
  readonly certificate: CertificateView
  readonly validationResults: ValidationResults
  /** Nearest first, the root last. */
  readonly issuers: readonly Certificate[]
}

export async function judgeSigner(
  certificate: Certificate,
  context: SecurityContext,
  options: ResultOptions,
  now: Date,
): Promise<JudgedSigner> {
  const judge = await context.judge()
  const verdict = await judge.certificate(certificate, { at: now, now, purpose: 'signing' })
  const issuers = verdict.path.slice(1)
  const validationResults = resultsOf(verdict, inContext(context, options))
  return {
    isValid: isValid(validationResults),
    certificate: certificateModel(certificate, issuers),
    validationResults,
    issuers,
  }
}
