// The wire of the session server, as data that a browser can load: routes with their schemas, and the error codes. What
// every console has in common is in `@chancela/admin-console/contract`.
//
//   type Session = AnswerOf<typeof createSession>
export type { AnswerOf, BodyOf } from '@chancela/admin-console/contract'
export {
  type ApprovalProblem,
  type ApprovalState,
  cancelApproval,
  createApproval,
  readApproval,
  signApproved,
} from './approvals.ts'
export {
  listHistory,
  listLockouts,
  listSessions,
  listSignatures,
  readOverview,
} from './console-activity.ts'
export { importCertificate, listCertificates, setCertificatePin } from './console-certificates.ts'
export { consoleErrors } from './console-errors.ts'
export { eventTypes } from './console-events.ts'
export { consoleRights, type SessionServerRight } from './console-rights.ts'
export { createWorkstation, listWorkstations } from './console-workstations.ts'
export { errors } from './errors.ts'
export { testSignaturePrefix } from './test-signature.ts'
export { verdictFindings } from './verdict-findings.ts'
