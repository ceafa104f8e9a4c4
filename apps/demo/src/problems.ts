import type { ErrorVocabulary } from '@chancela/service-kernel/errors'
import { refuser } from '@chancela/service-kernel/errors'
import type { FrameworkErrors } from '@chancela/service-kernel/http'

/** All errors of the demo's own services. */
export const demoErrors = {
  'request.malformed': { status: 400, message: 'The request cannot be read.' },
  'request.invalid': { status: 400, message: 'A value of the request is not accepted.' },
  'request.media-type': { status: 415, message: 'The media type of the body is not accepted.' },
  'request.too-large': { status: 413, message: 'The body is too large.' },
  'request.unknown-route': { status: 404, message: 'Nothing answers this method and path.' },
  'auth.invalid-credentials': { status: 401, message: 'The API key is missing or not accepted.' },
  'rate-limited': { status: 429, message: 'Too many requests from this address.' },
  busy: { status: 503, message: 'The service is at its limit; try again.' },
  internal: { status: 500, message: 'The request could not be completed.' },
  'certificate.not-found': { status: 404, message: 'The demo PKI has issued no certificate with this label.' },
  'certificate.already-revoked': { status: 409, message: 'The certificate is revoked already.' },
  'person.cpf-invalid': { status: 400, message: 'The CPF has wrong check digits.' },
  'company.cnpj-invalid': { status: 400, message: 'The CNPJ has wrong check digits.' },
  'mail.not-found': { status: 404, message: 'No mail with this number is kept.' },
  'walk.not-ready': { status: 409, message: 'A service that the walk needs is not started.' },
  'walk.not-found': { status: 404, message: 'The document platform knows no walk with this id.' },
  'walk.failed': { status: 502, message: 'The document platform did not do its part of the walk.' },
  'fault.kind-unknown': { status: 400, message: 'This part of the PKI cannot have this fault.' },
} as const satisfies ErrorVocabulary

export const refuse = refuser(demoErrors)

export const demoFrameworkErrors: FrameworkErrors<keyof typeof demoErrors> = {
  'invalid-json': 'request.malformed',
  validation: 'request.invalid',
  'unsupported-media-type': 'request.media-type',
  'body-too-large': 'request.too-large',
  'unknown-route': 'request.unknown-route',
  unauthorized: 'auth.invalid-credentials',
  'rate-limited': 'rate-limited',
  busy: 'busy',
  internal: 'internal',
}
