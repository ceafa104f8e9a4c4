import type { EventKind } from './vocabulary.ts'

/** The 38 types of events, by what they tell of (spec 3 B). */
export const eventTypes = {
  Degree: ['DegreeCreated', 'DegreeConcluded', 'DegreeCanceled', 'DegreeCanceledTemporarily', 'DegreeRestored'],
  Emission: ['EmissionCreated', 'EmissionSigned', 'EmissionSentToRegistry', 'EmissionRegistered', 'EmissionCanceled'],
  EmissionRegistration: [
    'EmissionRegistrationAccepted',
    'EmissionRegistrationApproved',
    'EmissionRegistrationRejected',
    'EmissionRegistrationCanceled',
    'EmissionRegistrationRegistered',
  ],
  Registration: [
    'RegistrationCreated',
    'RegistrationAccepted',
    'RegistrationApproved',
    'RegistrationRejected',
    'RegistrationRegistered',
    'RegistrationSigned',
    'RegistrationCanceled',
  ],
  AcademicTranscript: [
    'AcademicTranscriptCreated',
    'AcademicTranscriptConcluded',
    'AcademicTranscriptCanceled',
    'AcademicTranscriptCanceledTemporarily',
  ],
  Curriculum: ['CurriculumCreated', 'CurriculumConcluded', 'CurriculumCanceled'],
  CancellationList: ['CancellationListCreated', 'CancellationListSigned'],
  InspectionFile: ['InspectionFileCreated', 'InspectionFileSigned', 'InspectionFileGenerationError'],
  Restamp: ['RestampCreated', 'RestampUpdated', 'RestampApplied', 'RestampApplyingError'],
} as const satisfies Readonly<Record<EventKind, readonly string[]>>

export type EventType<Kind extends EventKind = EventKind> = (typeof eventTypes)[Kind][number]
