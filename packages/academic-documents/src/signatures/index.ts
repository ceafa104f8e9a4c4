// Who signs what in an academic document, and whether what others signed is to be accepted.
//
//   const started = startStep(bytes, certificate, { now, chain })          // refuses with a SigningRefusal
//   const signed = await completeStep(started.state, signature, { now, timestamps, judge })
//   signingProgress(signed).next                                           // from the bytes alone
//   const report = await inspectDocument(received, { judge, now })         // never throws
export { assembleDegree } from './assemble-degree.ts'
export {
  type DocumentReport,
  type InspectedSignature,
  type InspectOptions,
  inspectDocument,
  type LayoutVerdict,
} from './inspect-document.ts'
export {
  type CertificateKind,
  closingStep,
  type DocumentKind,
  type LevelSettings,
  type Party,
  type SignatureStep,
  type SignedNode,
  type StepName,
  signaturePlans,
} from './plans.ts'
export { type DocumentProblem, documentProblems, type ProblemCode, type ProblemSeverity } from './problems.ts'
export {
  type PlacedSignature,
  type ProgressOptions,
  type SigningProgress,
  type StepProgress,
  signingProgress,
} from './progress.ts'
export { signedNodeId } from './read-document.ts'
export { SigningRefusal, type SigningRefusalCode, signingRefusals } from './refusals.ts'
export { archivingExpiringDate, type Restamped, restamp } from './restamp.ts'
export {
  completeStep,
  finishStep,
  insertSignature,
  type LevelHelpers,
  type StartedStep,
  type StartStepOptions,
  signStep,
  startStep,
} from './sign-step.ts'
export { type LayoutVersion, layoutVersions, type VersionVerdict, versionOn } from './versions.ts'
