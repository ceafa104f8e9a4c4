import type { FrameworkErrors } from '@chancela/service-kernel/http'
import type { ErrorCode } from '../contract/errors.ts'

/** The service's error code for each failure of the framework. */
export const frameworkErrors: FrameworkErrors<ErrorCode> = {
  'invalid-json': 'InvalidRequest',
  validation: 'InvalidRequest',
  'unsupported-media-type': 'InvalidRequest',
  'body-too-large': 'UploadTooLarge',
  'unknown-route': 'RouteNotFound',
  unauthorized: 'Unauthorized',
  'rate-limited': 'TooManyRequests',
  busy: 'ServiceBusy',
  internal: 'InternalError',
}
