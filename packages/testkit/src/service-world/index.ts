export { type Answer, type Caller, callerOf, readAnswer } from './caller.ts'
export { behindProxy, usedUp } from './limited-address.ts'
export { testOnce } from './one-database.ts'
export {
  type Database,
  databases,
  type Left,
  type ServiceWorld,
  type ServiceWorldOptions,
  type SettingsFile,
  settingsOf,
  startServiceWorld,
  withSections,
} from './service-world.ts'
export { sharedWorld, worldOfTest } from './shared-world.ts'
