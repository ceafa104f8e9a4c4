import type { FrameworkErrors } from '@chancela/service-kernel/http'
import type { ErrorCode } from '../contract/errors.ts'

/** The contract's code for each failure of the framework. */
export const frameworkErrors: FrameworkErrors<ErrorCode> = {
  'invalid-json': 'INVALID_REQUEST',
  validation: 'INVALID_REQUEST',
  'unsupported-media-type': 'INVALID_REQUEST',
  'body-too-large': 'DOCUMENT_TOO_LARGE',
  'unknown-route': 'ENDPOINT_NOT_FOUND',
  unauthorized: 'UNAUTHORIZED',
  'rate-limited': 'SERVER_BUSY',
  busy: 'SERVER_BUSY',
  internal: 'INTERNAL_ERROR',
}
