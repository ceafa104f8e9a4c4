/** What a service found wrong with a certificate. */
export interface RejectedResults {
  readonly errors: readonly {
    readonly type: string
    readonly message: string
    readonly detail?: string | null | undefined
  }[]
}

/** A certificate that the service rejected. */
export class CertificateRejected extends Error {
  override readonly name = 'CertificateRejected'
  readonly results: RejectedResults | null
  /** Of the messages. */
  readonly language: string

  constructor(results: RejectedResults | null, language = 'en') {
    super('The certificate was not accepted.')
    this.results = results
    this.language = language
  }
}
