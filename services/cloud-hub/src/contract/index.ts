// The wire of the hub, as data that a browser can load: routes with their schemas, and the error codes. What every
// console has in common is in `@chancela/admin-console/contract`.
export { readChoice } from './browser.ts'
export { createApplicationKey, listRedirectUris } from './console-applications.ts'
export { consoleErrors } from './console-errors.ts'
export { eventTypes, listEvents } from './console-events.ts'
export { readOverview } from './console-overview.ts'
export {
  createProvider,
  listPresets,
  listProviders,
  registerAtProvider,
  testProvider,
  updateProvider,
} from './console-providers.ts'
export { consoleRights, type HubRight } from './console-rights.ts'
export { listSessions, listUses, shownStates, useActions } from './console-sessions.ts'
export { errors } from './errors.ts'
export { type CheckName, checkNames, type FindingCode, providerFindings } from './provider-findings.ts'
export { type ProviderOperation, providerOperations } from './provider-operations.ts'
export { createChooser } from './sessions.ts'
export { endSession, readCertificateModel, readCustomState, readStatus, signHash, signHashes } from './signing.ts'
