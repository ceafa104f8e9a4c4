// The wire of the document platform, as data that a browser can load: routes with their schemas, and the error codes.
//
//   type DocumentView = AnswerOf<typeof readDocument>
import type { Static, TSchema } from 'typebox'

/** What a route answers. */
export type AnswerOf<Route extends { readonly answer: TSchema }> = Static<Route['answer']>

/** What a route takes. */
export type BodyOf<Route extends { readonly body: TSchema }> = Static<Route['body']>

export { listAudit, verifyAudit } from './audit.ts'
export type { beginCloudSigning, CloudOutcome } from './cloud-signing.ts'
export {
  cancelDocument,
  createActionUrl,
  createDocuments,
  listDocuments,
  readContent,
  readDocument,
  readTimeline,
} from './documents.ts'
export { type ErrorCode, errors } from './errors.ts'
export { createFlow, listFlows, readFlow, readMarksSessionPage, saveMarks } from './flows.ts'
export { listFolders } from './folders.ts'
export {
  createApplication,
  createApplicationKey,
  listApplications,
  listOwnUsers,
  readOrganization,
  updateOrganization,
} from './organizations.ts'
export { beginSecondFactor, listSessions, readMe, readSignInWays } from './session.ts'
export {
  readAction,
  readSignaturesByKey,
  startSignatureByKey,
} from './signatures.ts'
export type { beginTokenSigning, lookComputerTest, lookTokenSigning, TokenOutcome } from './token-signing.ts'
export { uploadBytes, uploadFile } from './uploads.ts'
export {
  createWebhook,
  listDeliveries,
  readDelivery,
} from './webhooks.ts'
