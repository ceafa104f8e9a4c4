import type { FrameworkErrors } from '@chancela/service-kernel/http'
import type { ErrorCode } from '../contract/errors.ts'

/** The service's code for each failure of the framework. */
export const frameworkErrors: FrameworkErrors<ErrorCode> = {
  'invalid-json': 'invalid-request',
  validation: 'invalid-request',
  'unsupported-media-type': 'unsupported-media-type',
  'body-too-large': 'request-too-large',
  'unknown-route': 'unknown-route',
  unauthorized: 'unauthorized',
  'rate-limited': 'too-many-requests',
  busy: 'service-busy',
  'no-room': 'disk-full',
  internal: 'unexpected-error',
}
