// The wire of the service, as data: routes with their schemas, and the error codes.
export { extendArchive } from './archival-extension.ts'
export {
  authenticateWithNonce,
  builtInContexts,
  completeAuthentication,
  finalizeAuthentication,
  prepareAuthentication,
  readNonce,
  signedBytesOfAuthentication,
  startAuthentication,
} from './authentication.ts'
export {
  completeBioAuthenticationSession,
  completeEnrollmentSession,
  completeIdentificationSession,
  completeLivenessSession,
  deleteSubject,
  findSubject,
  readBioAuthenticationStatus,
  readEnrollmentStatus,
  readIdentificationStatus,
  readLivenessStatus,
  readResultData,
  readSubject,
  readSubjectFace,
  startBioAuthenticationSession,
  startEnrollmentSession,
  startIdentificationSession,
  startLivenessSession,
} from './bio.ts'
export {
  abortBioPage,
  type BioPage,
  CONSENT_VERSION,
  consentOnBioPage,
  readBioPage,
  sendBioFrame,
} from './bio-page.ts'
export { readCertificate } from './certificates.ts'
export { authenticationOutcomes, listAuthentications, listProblems } from './console-activity.ts'
export { consoleErrors } from './console-errors.ts'
export { eventTypes, listEvents } from './console-events.ts'
export {
  consoleApplications,
  consoleContexts,
  consoleKeys,
  consoleNewApplication,
  consoleNewContext,
  consoleNewKey,
  consoleSubscriptions,
  readOverview,
} from './console-management.ts'
export { type CoreRight, consoleRights } from './console-rights.ts'
export { listSignatureSessions, showSignatureSession } from './console-sessions.ts'
export { listBioSubjects } from './console-subjects.ts'
export {
  allocateDocumentKey,
  allocateDocumentKeys,
  deleteDocument,
  findDocumentByKey,
  listUnusedDocumentKeys,
  readDocument,
  readDocumentKey,
  setDocumentMetadata,
} from './documents.ts'
export { openCades, openPades, openXml, openXmlV2, readRequiredHashes } from './earlier-opening.ts'
export {
  issuePlanTimestamp,
  issueTierTimestamp,
  issueTimestamp,
  openCertificate,
  readFootnote,
  readFootnoteBottomUp,
  readNewPage,
  relayTierTimestamp,
  relayTimestamp,
  stampPdf,
} from './earlier-services.ts'
export {
  completeCades,
  completeCadesV2,
  completePades,
  completePadesV2,
  completeXml,
  finalizeCades,
  finalizePades,
  finalizeXml,
  startCades,
  startCadesV2,
  startCadesV3,
  startFullXml,
  startPades,
  startPadesV2,
  startXmlElement,
} from './earlier-signatures.ts'
export { type ErrorCode, errors } from './errors.ts'
export { deleteFileValidation, putFileValidation, readFileValidation } from './file-validation.ts'
export { beginMultipartUpload, downloadFile, endMultipartUpload, uploadPart, uploadPlain } from './files.ts'
export { addPdfMarks } from './pdf-marks.ts'
export { readPendingSignature, setPendingCertificate, setPendingSignature } from './pending-signatures.ts'
export {
  cancelSession,
  readSessionDocument,
  readSessionPage,
  readSignedSessionDocument,
  removeSessionDocument,
  setSessionCertificate,
  submitSessionSignatures,
  uploadSessionDocument,
} from './session-page.ts'
export {
  beginSessionCloud,
  beginSessionToken,
  cancelSessionToken,
  lookSessionToken,
} from './session-signing.ts'
export { inspectSignature, readSigners } from './signature-inspection.ts'
export {
  awaitSignatureSession,
  createSignatureSession,
  deleteSignatureSession,
  readSignatureSession,
} from './signature-sessions.ts'
export { completeSignature, prepareSignature } from './signatures.ts'
export { CONTRACT_VERSION, readSystemInfo } from './system.ts'
export { verificationPage, verifyDocument } from './verification.ts'
export {
  cancelWebhookDeliveries,
  deleteWebhook,
  listWebhookDeliveries,
  putWebhook,
  readWebhook,
  readWebhookDelivery,
  replayWebhookDeliveries,
  rotateWebhookSecret,
  setWebhookState,
  testWebhook,
} from './webhooks.ts'
