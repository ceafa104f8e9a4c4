export { checkCertificates } from './check-certificates.ts'
export { createSurfaceApp, openKeys, type SurfaceAppOptions } from './create-surface-app.ts'
export {
  type BuiltService,
  type CheckContext,
  type Closing,
  defineService,
  type ServiceContext,
  type ServiceDefinition,
  type StatefulService,
  type StatelessContext,
  type StatelessService,
  type SurfaceDefinition,
  type SurfaceKey,
} from './definition.ts'
export { openMigratedStore } from './open-migrated-store.ts'
export { type BundleOptions, isBundle, serveBundle } from './serve-bundle.ts'
export { type OperationOptions, type OperationPaths, serveOperations } from './serve-operations.ts'
export {
  contextOf,
  type RunningService,
  type RunningSurface,
  type StartOptions,
  startService,
} from './start-service.ts'
export { type RunningSuite, type SuiteOptions, startSuite } from './start-suite.ts'
