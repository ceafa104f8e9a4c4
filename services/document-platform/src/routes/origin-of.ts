import { type Call, clientAddress } from '@chancela/service-kernel/http'
import type { Origin } from '../parts/signing/evidence.ts'

/** Origin of a call, with the location its body states. */
export const originOf = (
  request: Call['request'],
  evidences?: { readonly geolocation?: unknown } | null | undefined,
): Origin => ({
  ipAddress: clientAddress(request),
  userAgent: request.headers['user-agent'] ?? '',
  geolocation: evidences?.geolocation,
})
