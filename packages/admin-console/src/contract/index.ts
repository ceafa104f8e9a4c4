// The wire that every console has in common, as data that a browser can load: routes with their schemas, error codes,
// kinds of events.
//
//   type Me = AnswerOf<typeof readMe>
export {
  changeAdministratorRole,
  createAdministrator,
  listAdministrators,
  removeAdministrator,
  resetSecondFactor,
} from './administrators.ts'
export {
  createApplication,
  createApplicationKey,
  listApplications,
  revokeApplicationKey,
  switchApplication,
} from './applications.ts'
export { type AnswerOf, type BodyOf, Count, Flag, Id, Notice, orNull, type ShownNotice, Text } from './common.ts'
export { type CommonConsoleErrorCode, commonConsoleErrors } from './errors.ts'
export { type CommonEventType, commonEventTypes, eventFiles, eventList } from './events.ts'
export { pageOf, paging } from './paging.ts'
export type { NewPasskey, PasskeyAnswer } from './passkey-shapes.ts'
export {
  addPasskey,
  askForProof,
  askForSignIn,
  listPasskeys,
  planPasskey,
  proveWithPasskey,
  removePasskey,
  renamePasskey,
  signInWithPasskey,
} from './passkeys.ts'
export {
  administrators,
  type CommonRight,
  type ConsoleRight,
  type ConsoleRights,
  type ConsoleRole,
  commonRights,
  consoleRoles,
  everyRole,
  helpers,
  provenAdministrators,
  readers,
} from './rights.ts'
export {
  beginSecondFactor,
  changePassword,
  confirmSecondFactor,
  finishOidc,
  makeRecoveryCodes,
  oidcProblems,
  proveSession,
  readMe,
  readRecoveryCodes,
  readSignInWays,
  SHORTEST_PASSWORD,
  signIn,
  signInWithOidc,
  signOut,
} from './session.ts'
export {
  endOtherSessions,
  endOwnSession,
  listAdministratorSessions,
  listOwnSessions,
  signAdministratorOut,
} from './sessions.ts'
