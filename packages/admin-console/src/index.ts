export { findAdministratorByEmail } from './administrator-rows.ts'
export { type AdministratorRow, type AdministratorTables, administratorMigrations } from './administrator-table.ts'
export { createAdministrator } from './administrators.ts'
export { ApplicationAdmin } from './applications.ts'
export { acting, actorOf, OPERATOR } from './audit.ts'
export type { SessionCaller } from './caller.ts'
export type { ConsoleApp } from './console-app.ts'
export { administratorStore, type ConsoleContext } from './console-context.ts'
export { ConsoleSessions } from './console-sessions.ts'
export { createConsoleApp } from './create-console-app.ts'
export { DEFAULT_LIMIT, pageFrom, readCursor } from './cursor.ts'
export { commonEventParts, commonEventTexts } from './event-texts.ts'
export {
  type Claims,
  enabledProvider,
  type Identity,
  IdentityProvider,
  verifiedIdentity,
  watchProvider,
} from './identity-provider.ts'
export { localPath } from './local-path.ts'
export { LocalSignIn } from './local-sign-in.ts'
export { OidcTrip, type Step } from './oidc-trip.ts'
export { type AdministratorOperator, administratorOperator, type OperatorContext } from './operator.ts'
export { endOtherSessions, endOwnSession, ownSessions } from './own-sessions.ts'
export { newSecondFactor, sealedAdministrators, stepOf } from './second-factor.ts'
export { serveApplications, serveKeyCreation } from './serve-applications.ts'
export { serveEvents } from './serve-events.ts'
export {
  consoleRules,
  consoleSections,
  isIssuer,
  oidcFields,
  oidcRules,
  providerLimits,
  signInPolicy,
} from './settings.ts'
