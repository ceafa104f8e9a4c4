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
export { storeCheck } from './store-check.ts'
export { type AnonymousVerdict, anonymous, detailed } from './views.ts'
