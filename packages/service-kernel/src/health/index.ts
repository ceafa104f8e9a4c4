export { alone } from './alone.ts'
export { createDiskSpace, type DiskSpace } from './disk-space.ts'
export { measureHealth } from './health-metrics.ts'
export { createHeartbeats, type Heartbeat, type Heartbeats } from './heartbeats.ts'
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
export { type AnonymousVerdict, anonymous, detailed } from './views.ts'
