import type { FrameworkErrors } from '@chancela/service-kernel/http'
import type { ErrorCode } from '../contract/errors.ts'

/** The contract's code for each failure of the framework. */
export const frameworkErrors: FrameworkErrors<ErrorCode> = {
  'invalid-json': 'InvalidRequest',
  validation: 'InvalidRequest',
  'unsupported-media-type': 'UnsupportedMediaType',
  'body-too-large': 'InvalidRequest',
  'unknown-route': 'NotFound',
  unauthorized: 'Unauthorized',
  'rate-limited': 'TooManyRequests',
  busy: 'ServerBusy',
  internal: 'UnexpectedError',
}
