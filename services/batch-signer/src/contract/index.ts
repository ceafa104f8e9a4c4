// The wire of the batch signer, as data that a browser can load: routes with their schemas, and the error codes.
//
//   type Overview = AnswerOf<typeof readOverview>
import type { Static, TSchema } from 'typebox'

/** What a route answers. */
export type AnswerOf<Route extends { readonly answer: TSchema }> = Static<Route['answer']>

/** What a route takes. */
export type BodyOf<Route extends { readonly body: TSchema }> = Static<Route['body']>

export { decideApproval, readApprovals } from './approvals.ts'
export { customerLogo, login, logout, setCulture, signInWays, whoAmI } from './auth.ts'
export { backupPage, backupView, cancelBackup, startBackup } from './backup.ts'
export { compactRoutes } from './compact.ts'
export { readConditions, tryProfile } from './conditions.ts'
export { inspectApprovals } from './dashboard-approvals.ts'
export { listApprovers, resetFactor } from './dashboard-approvers.ts'
export { listFailures, retryFailures } from './dashboard-failures.ts'
export {
  addFolder,
  editFolder,
  listFolderDetails,
  pauseFolder,
  removeFolder,
  resumeFolder,
} from './dashboard-folders.ts'
export {
  bulkJobs,
  deleteJob,
  live,
  readOverview,
  readPayments,
  readRemittanceTotals,
  readStatistics,
} from './dashboard-jobs.ts'
export {
  createProfile,
  editProfile,
  listProfileDetails,
  profileOptions,
  readProfileDetail,
  testSavedCertificate,
  testUnsavedCertificate,
} from './dashboard-profiles.ts'
export {
  type ErrorCode,
  errors,
  type RecordedCode,
  recordedCodes,
  type ShownCode,
  shownCodes,
} from './errors.ts'
export { listEvents, listEventTypes } from './events.ts'
export { uploadFile } from './files.ts'
export { listFolders, releaseFolder } from './folders.ts'
export { cancelJob, clearJobs, exportJobs, listJobs, readArchive, readJob, readOutput, retryJob } from './jobs.ts'
export { runCleanup, systemView } from './operations.ts'
export { pausePipeline, pipelineState, resumePipeline } from './pipeline.ts'
export {
  approveMany,
  approveOne,
  beginFactor,
  beginSignature,
  completeSignature,
  confirmFactor,
  endSignature,
  listPortal,
  readApprover,
  readPortalJob,
  rejectOne,
  verifyFactor,
} from './portal.ts'
export { beginCloudSigning, beginTokenSigning, lookSigning } from './portal-signing.ts'
export { listProfiles, readProfile } from './profiles.ts'
export { rescanFolders } from './rescan.ts'
export {
  endOwnSession,
  endOwnSessions,
  endSession,
  endSessions,
  listOwnSessions,
  listSessions,
} from './sessions.ts'
