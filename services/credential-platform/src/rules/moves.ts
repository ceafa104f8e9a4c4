// How each kind changes its state (credentials-platform facts 2.1 to 2.8). A table is the rule: no other code assigns a
// state, and what no table has is answered `invalid-transition`.
import type { MoveTable } from '@chancela/service-kernel/states'
import type { PlatformDocumentStatus, XmlDocumentStatus } from '../contract/signing.ts'
import type {
  BatchStatus,
  CancellationListStatus,
  CurriculumStatus,
  DegreeState,
  EmissionStatus,
  InspectionFileStatus,
  PartnershipStatus,
  RegistrationStatus,
  RestampStatus,
  TranscriptStatus,
} from '../contract/vocabulary.ts'

/** A degree that was concluded is annulled for one of the layout's reasons; one that never was, is only canceled. */
export const degreeMoves = {
  closeDocumentation: { from: ['Pending'], to: 'PendingPublicXml' },
  conclude: { from: ['PendingPublicXml'], to: 'Concluded' },
  suspend: { from: ['Concluded'], to: 'CanceledTemporarily' },
  restore: { from: ['CanceledTemporarily'], to: 'Concluded' },
  annul: { from: ['Concluded', 'CanceledTemporarily'], to: 'Canceled' },
  cancel: { from: ['Pending', 'PendingPublicXml'], to: 'Canceled' },
} as const satisfies MoveTable<DegreeState>

/** A rejected one is taken back, corrected and sent again; a canceled one returns to the state it had. */
export const emissionMoves = {
  sign: { from: ['Created'], to: 'Signed' },
  send: { from: ['Signed'], to: 'SentToRegistry' },
  register: { from: ['SentToRegistry'], to: 'Registered' },
  takeBack: { from: ['SentToRegistry'], to: 'Signed' },
  cancel: { from: ['Created', 'Signed', 'SentToRegistry'], to: 'Canceled' },
  restoreCreated: { from: ['Canceled'], to: 'Created' },
  restoreSigned: { from: ['Canceled'], to: 'Signed' },
  restoreSentToRegistry: { from: ['Canceled'], to: 'SentToRegistry' },
} as const satisfies MoveTable<EmissionStatus>

/** The registrar's request, and its mirror on the issuer's emission. A rejection is final for the request. */
export const registrationMoves = {
  accept: { from: ['AwaitingAcceptance'], to: 'Accepted' },
  approve: { from: ['Accepted'], to: 'Approved' },
  reject: { from: ['AwaitingAcceptance', 'Accepted', 'Approved'], to: 'Rejected' },
  register: { from: ['Approved'], to: 'Registered' },
  sign: { from: ['Registered'], to: 'Signed' },
  cancel: { from: ['AwaitingAcceptance', 'Accepted', 'Approved', 'Registered'], to: 'Canceled' },
  annul: { from: ['Signed'], to: 'Canceled' },
} as const satisfies MoveTable<RegistrationStatus>

export const transcriptMoves = {
  conclude: { from: ['Pending'], to: 'Concluded' },
  suspend: { from: ['Concluded'], to: 'CanceledTemporarily' },
  restore: { from: ['CanceledTemporarily'], to: 'Concluded' },
  cancel: { from: ['Pending', 'Concluded', 'CanceledTemporarily'], to: 'Canceled' },
} as const satisfies MoveTable<TranscriptStatus>

export const curriculumMoves = {
  conclude: { from: ['Pending'], to: 'Concluded' },
  cancel: { from: ['Pending', 'Concluded'], to: 'Canceled' },
} as const satisfies MoveTable<CurriculumStatus>

export const cancellationListMoves = {
  sign: { from: ['Created'], to: 'Signed' },
} as const satisfies MoveTable<CancellationListStatus>

export const inspectionFileMoves = {
  generate: { from: ['Generating'], to: 'Created' },
  fail: { from: ['Generating'], to: 'GenerationError' },
  sign: { from: ['Created'], to: 'Signed' },
} as const satisfies MoveTable<InspectionFileStatus>

export const restampMoves = {
  update: { from: ['Scheduled'], to: 'Scheduled' },
  apply: { from: ['Scheduled'], to: 'Applied' },
  fail: { from: ['Scheduled'], to: 'ApplyingError' },
  retry: { from: ['ApplyingError'], to: 'Scheduled' },
} as const satisfies MoveTable<RestampStatus>

/** One institution proposes, the other accepts: nobody registers for a stranger. */
export const partnershipMoves = {
  accept: { from: ['Proposed'], to: 'Active' },
  end: { from: ['Proposed', 'Active'], to: 'Ended' },
  propose: { from: ['Ended'], to: 'Proposed' },
} as const satisfies MoveTable<PartnershipStatus>

export const batchMoves = {
  start: { from: ['Created'], to: 'Processing' },
  finish: { from: ['Processing'], to: 'Finished' },
  cancel: { from: ['Created', 'Processing'], to: 'Canceled' },
} as const satisfies MoveTable<BatchStatus>

/** What is signed: one that failed elsewhere is taken up again, and one whose item was canceled when that returns. */
export const xmlDocumentMoves = {
  close: { from: ['Open'], to: 'Closed' },
  fail: { from: ['Open'], to: 'Failed' },
  reopen: { from: ['Failed'], to: 'Open' },
  withdraw: { from: ['Open', 'Failed'], to: 'Withdrawn' },
  resume: { from: ['Withdrawn'], to: 'Open' },
} as const satisfies MoveTable<XmlDocumentStatus>

/** One sending of a document to the document platform; another attempt is another one. */
export const platformDocumentMoves = {
  send: { from: ['Sending'], to: 'Sent' },
  take: { from: ['Sent'], to: 'Taken' },
  fail: { from: ['Sending', 'Sent'], to: 'Failed' },
  withdraw: { from: ['Sending', 'Sent'], to: 'Withdrawn' },
} as const satisfies MoveTable<PlatformDocumentStatus>

/** Any of the tables above. */
export type AnyMoves = MoveTable
