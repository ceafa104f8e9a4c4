import type { KernelSettings } from '../config/index.ts'
import type { HttpSettings } from '../http/index.ts'

/** A surface's settings section as the HTTP kernel takes it. */
export const httpSettings = (section: KernelSettings['Http']): HttpSettings => ({
  bodyLimitBytes: section.BodyLimitBytes,
  trustedProxies: section.TrustedProxies,
  maxRunning: section.MaxRunning,
  maxQueued: section.MaxQueued,
  requestTimeoutSeconds: section.RequestTimeoutSeconds,
  strictTransport: section.PublicUrl?.startsWith('https:') ?? false,
})
