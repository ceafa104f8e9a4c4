/** What a service found wrong with a certificate, in English. */
export interface RejectedResults {
  readonly errors: readonly { readonly type: string; readonly message: string; readonly detail: string | null }[]
}

/** A certificate that the service rejected. */
export class CertificateRejected extends Error {
  override readonly name = 'CertificateRejected'
  readonly results: RejectedResults | null

  constructor(results: RejectedResults | null) {
    super('The certificate was not accepted.')
    this.results = results
  }
}
