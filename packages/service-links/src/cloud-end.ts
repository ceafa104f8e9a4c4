import type { LinkProblem } from './service-link.ts'

/** How a signature at the hub ended, in the words of the pages. */
export type CloudEnd = 'expired' | 'certificate-invalid' | 'signature-invalid' | 'provider-failed'

/** Ends of the hub's codes; any other code is a failure at the provider or on the way there. */
const ends: Readonly<Record<string, CloudEnd>> = {
  SessionExpired: 'expired',
  SessionInvalidOrAlreadyUsed: 'expired',
  CertificateNotFound: 'certificate-invalid',
  InvalidProviderSignature: 'signature-invalid',
}

export const cloudEndOf = ({ code }: LinkProblem): CloudEnd =>
  Object.hasOwn(ends, code) ? ends[code]! : 'provider-failed'
