export { alone } from './alone.ts'
export {
  type CertificateDates,
  type CertificateWatch,
  createCertificateWatch,
} from './certificates.ts'
export { createDiskSpace, type DiskSpace } from './disk-space.ts'
export { measureHealth } from './health-metrics.ts'
export { createHeartbeats, type Heartbeat, type Heartbeats } from './heartbeats.ts'
export { lasting } from './lasting.ts'
export { healthMigrations } from './migrations.ts'
export {
  type Check,
  type CheckOptions,
  type CheckResult,
  createReadiness,
  type NamedCheck,
  type Readiness,
  type ReadinessOptions,
  type ReadinessVerdict,
} from './readiness.ts'
export { storeCheck, storeCheckOptions } from './store-check.ts'
export { answered, type UpstreamContext, watchAddress, watchUpstream } from './upstreams.ts'
export { type AnonymousVerdict, anonymous, detailed } from './views.ts'
