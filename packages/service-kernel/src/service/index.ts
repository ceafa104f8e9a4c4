export { createSurfaceApp, openKeys, type SurfaceAppOptions } from './create-surface-app.ts'
export type {
  AnySealedTable,
  BuiltService,
  Closing,
  ServiceContext,
  ServiceDefinition,
  StatefulContext,
  StatefulService,
  StatelessService,
  SurfaceDefinition,
  SurfaceKey,
} from './definition.ts'
export { openMigratedStore } from './open-migrated-store.ts'
export { type BundleOptions, isBundle, serveBundle } from './serve-bundle.ts'
export { type OperationOptions, type OperationPaths, serveOperations } from './serve-operations.ts'
export { type RunningService, type RunningSurface, type StartOptions, startService } from './start-service.ts'
export { type RunningSuite, type SuiteOptions, startSuite } from './start-suite.ts'
