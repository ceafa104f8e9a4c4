// The type of an event is that of the item when it is sent, not when it changed (spec 3 B; credentials-platform facts 4.1).
import type { EventType } from '../contract/event-types.ts'
import type {
  CancellationListStatus,
  CurriculumStatus,
  DegreeState,
  EmissionStatus,
  EventKind,
  InspectionFileStatus,
  RegistrationStatus,
  RestampStatus,
  TranscriptStatus,
} from '../contract/vocabulary.ts'

/** What of an item decides the type of its event. */
export interface TellingItems {
  readonly Degree: { readonly status: DegreeState; readonly wasRestored: boolean }
  readonly Emission: { readonly status: EmissionStatus }
  readonly EmissionRegistration: { readonly registrationStatus: RegistrationStatus | null }
  readonly Registration: { readonly status: RegistrationStatus }
  readonly AcademicTranscript: { readonly status: TranscriptStatus }
  readonly Curriculum: { readonly status: CurriculumStatus }
  readonly CancellationList: { readonly status: CancellationListStatus }
  readonly InspectionFile: { readonly status: InspectionFileStatus }
  readonly Restamp: { readonly status: RestampStatus; readonly wasUpdated: boolean }
}

type Types<Kind extends EventKind, Status extends string> = Readonly<Record<Status, EventType<Kind> | undefined>>

const degreeTypes: Types<'Degree', DegreeState> = {
  Pending: 'DegreeCreated',
  PendingPublicXml: 'DegreeCreated',
  Concluded: 'DegreeConcluded',
  CanceledTemporarily: 'DegreeCanceledTemporarily',
  Canceled: 'DegreeCanceled',
}

/** The issuer is told what the registrar does with the request; that it waits is what the issuer did itself. */
const mirrored: Types<'EmissionRegistration', RegistrationStatus> = {
  AwaitingAcceptance: undefined,
  Accepted: 'EmissionRegistrationAccepted',
  Approved: 'EmissionRegistrationApproved',
  Rejected: 'EmissionRegistrationRejected',
  Registered: 'EmissionRegistrationRegistered',
  // The signature is told of the emission itself; of its registration there is nothing newer than this.
  Signed: 'EmissionRegistrationRegistered',
  Canceled: 'EmissionRegistrationCanceled',
}

const registrationTypes: Types<'Registration', RegistrationStatus> = {
  AwaitingAcceptance: 'RegistrationCreated',
  Accepted: 'RegistrationAccepted',
  Approved: 'RegistrationApproved',
  Rejected: 'RegistrationRejected',
  Registered: 'RegistrationRegistered',
  Signed: 'RegistrationSigned',
  Canceled: 'RegistrationCanceled',
}

/** There is no type for a restored transcript: it is concluded again. */
const transcriptTypes: Types<'AcademicTranscript', TranscriptStatus> = {
  Pending: 'AcademicTranscriptCreated',
  Concluded: 'AcademicTranscriptConcluded',
  CanceledTemporarily: 'AcademicTranscriptCanceledTemporarily',
  Canceled: 'AcademicTranscriptCanceled',
}

const curriculumTypes: Types<'Curriculum', CurriculumStatus> = {
  Pending: 'CurriculumCreated',
  Concluded: 'CurriculumConcluded',
  Canceled: 'CurriculumCanceled',
}

const inspectionTypes: Types<'InspectionFile', InspectionFileStatus> = {
  Generating: undefined,
  Created: 'InspectionFileCreated',
  Signed: 'InspectionFileSigned',
  GenerationError: 'InspectionFileGenerationError',
}

const restampTypes: Types<'Restamp', RestampStatus> = {
  Scheduled: 'RestampCreated',
  Applied: 'RestampApplied',
  ApplyingError: 'RestampApplyingError',
}

const typesOf: { readonly [Kind in EventKind]: (item: TellingItems[Kind]) => EventType<Kind> | undefined } = {
  Degree: ({ status, wasRestored }) => (status === 'Concluded' && wasRestored ? 'DegreeRestored' : degreeTypes[status]),
  Emission: ({ status }) => `Emission${status}`,
  EmissionRegistration: ({ registrationStatus }) =>
    registrationStatus === null ? undefined : mirrored[registrationStatus],
  Registration: ({ status }) => registrationTypes[status],
  AcademicTranscript: ({ status }) => transcriptTypes[status],
  Curriculum: ({ status }) => curriculumTypes[status],
  CancellationList: ({ status }) => `CancellationList${status}`,
  InspectionFile: ({ status }) => inspectionTypes[status],
  Restamp: ({ status, wasUpdated }) => (status === 'Scheduled' && wasUpdated ? 'RestampUpdated' : restampTypes[status]),
}

/** The type of what is told of an item now; undefined where there is nothing to tell. */
export const eventTypeOf = <Kind extends EventKind>(
  kind: Kind,
  item: TellingItems[Kind],
): EventType<Kind> | undefined => typesOf[kind](item)
