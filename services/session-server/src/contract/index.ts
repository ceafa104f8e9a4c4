// The wire of the session server, as data that a browser can load: routes with their schemas, and the error codes.
//
//   type Session = AnswerOf<typeof createSession>
import type { Static, TSchema } from 'typebox'

/** What a route answers. */
export type AnswerOf<Route extends { readonly answer: TSchema }> = Static<Route['answer']>

/** What a route takes. */
export type BodyOf<Route extends { readonly body: TSchema }> = Static<Route['body']>

export { listLockouts, listSessions, listSignatures, readOverview } from './console-activity.ts'
export { createApplicationKey, listApplications } from './console-applications.ts'
export { importCertificate, listCertificates } from './console-certificates.ts'
export { consoleErrors } from './console-errors.ts'
export { eventTypes, listEvents } from './console-events.ts'
export {
  beginSecondFactor,
  changePassword,
  createAdministrator,
  listAdministrators,
  readMe,
  readSignInWays,
} from './console-session.ts'
export { createWorkstation, listWorkstations } from './console-workstations.ts'
export { errors } from './errors.ts'
