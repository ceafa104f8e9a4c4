import type { FrameworkErrors } from '@chancela/service-kernel/http'
import type { ErrorCode } from '../contract/errors.ts'

/** The service's code for each failure of the framework, on both surfaces. */
export const frameworkErrors: FrameworkErrors<ErrorCode> = {
  'invalid-json': 'request.invalid',
  validation: 'validation.filter-invalid',
  'invalid-body': 'request.invalid',
  'unsupported-media-type': 'request.invalid',
  'body-too-large': 'request.too-large',
  'unknown-route': 'request.unknown-route',
  unauthorized: 'auth.invalid-credentials',
  'rate-limited': 'rate-limited',
  busy: 'service.busy',
  internal: 'internal',
}
