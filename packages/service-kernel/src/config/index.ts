export type { RuleBreach, SettingsRule } from './assemble-service.ts'
export { auditChainSection, checkpointMinutesIn } from './audit-chain-section.ts'
export { type Fault, faultsOf } from './check-value.ts'
export { describeSettings } from './describe-settings.ts'
export { duration, durationOf, readDuration } from './duration.ts'
export { isEmailAddress } from './email-address.ts'
export { withoutPassword, withoutSecrets } from './hide-secrets.ts'
export { homeUrl, isBaseUrl, type KernelSettings, kernelSettings } from './kernel-settings.ts'
export {
  type AnyLoadedSettings,
  checkSettings,
  type LoadedSettings,
  loadSettings,
  type SettingsOptions,
  type SettingsSchemas,
  type SettingsVerdict,
} from './load-settings.ts'
export { type PrintedSetting, printedSettings, printSettings } from './print-settings.ts'
export { ConfigurationProblems, type Problem, type ProblemKind, problemsText } from './problems.ts'
export type { Environment } from './read-environment.ts'
export {
  httpSection,
  type ServiceDefaults,
  type StatelessDefaults,
  type StatelessSettings,
  serviceSettings,
  statelessSettings,
} from './service-settings.ts'
export { allowedPorts, count, flag, ratePolicy } from './setting-kinds.ts'
export { type Source, sourceText } from './source.ts'
export { variableName } from './variable-name.ts'
