import { route } from '@chancela/service-kernel/http'
import { JobAnswer, JobRequest, path } from '../http/contract.ts'

/** Errors of the kernel contestants. */
export const errors = {
  'request.invalid': { status: 400, message: 'The request is not valid.' },
  'request.too-large': { status: 413, message: 'The request is too large.' },
  'route.unknown': { status: 404, message: 'There is no such route.' },
  'key.refused': { status: 401, message: 'A valid API key is needed.' },
  'service.busy': { status: 503, message: 'The service is busy.' },
  'service.failed': { status: 500, message: 'The service failed.' },
} as const

export const frameworkErrors = {
  'invalid-json': 'request.invalid',
  validation: 'request.invalid',
  'unsupported-media-type': 'request.invalid',
  'body-too-large': 'request.too-large',
  'unknown-route': 'route.unknown',
  unauthorized: 'key.refused',
  'rate-limited': 'service.busy',
  busy: 'service.busy',
  internal: 'service.failed',
} as const

/** The measured route, as a service of the suite declares its own. */
export const acceptJobRoute = route({
  method: 'POST',
  path,
  summary: 'Accepts a document for signing.',
  body: JobRequest,
  answer: JobAnswer,
})
