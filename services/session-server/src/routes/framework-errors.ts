import type { FrameworkErrors } from '@chancela/service-kernel/http'
import type { ErrorCode } from '../contract/errors.ts'

/**
 * Troubles of the machine and the database, 503 with Retry-After. SERVER_BUSY has none and is said before a call has
 * begun, so that clients repeat it with the PIN or the document; in these a call may have done something.
 */
const troubles = {
  'line-full': 'INTERNAL_ERROR',
  'no-room': 'INTERNAL_ERROR',
  'read-only': 'INTERNAL_ERROR',
  'out-of-files': 'INTERNAL_ERROR',
  'disk-failing': 'INTERNAL_ERROR',
  'store-busy': 'INTERNAL_ERROR',
  'store-unreachable': 'INTERNAL_ERROR',
  'storage-unreachable': 'INTERNAL_ERROR',
} as const

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
  ...troubles,
}
