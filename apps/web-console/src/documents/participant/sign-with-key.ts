import { type Access, completeSignature, startSignature } from '../api/participant.ts'
import type { Mark, ValidationResults } from '../api/types.ts'
import type { BrowserKey } from './key/browser-key.ts'

/** A certificate that the service rejected. */
export class CertificateRejected extends Error {
  override readonly name = 'CertificateRejected'
  readonly results: ValidationResults | null

  constructor(results: ValidationResults | null) {
    super('The certificate was not accepted.')
    this.results = results
  }
}

/** Sends the certificate, signs the hash that comes back, and sends the signature. */
export async function signWithKey(key: BrowserKey, access: Access, mark: Mark | undefined): Promise<void> {
  const started = await startSignature(access, key.certificate.certificate, mark)
  const { success, token, toSignHash, digestAlgorithm, validationResults } = started
  if (!success || token === null || toSignHash === null) throw new CertificateRejected(validationResults)
  const signature = await key.sign(toSignHash, digestAlgorithm ?? 'SHA-256')
  const completed = await completeSignature(access.key, token, signature)
  if (!completed.success) throw new CertificateRejected(completed.validationResults)
}
