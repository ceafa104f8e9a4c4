// What webhooks tell, written down from the specification and apart from the service.
import { eventTypes } from '../../src/contract/event-types.ts'
import type { EventKind } from '../../src/contract/vocabulary.ts'

/** The kind of a type; that of an emission's registration before that of the emission. */
export function kindOf(type: string): EventKind {
  const entries = Object.entries(eventTypes) as [EventKind, readonly string[]][]
  return entries.find(([, names]) => names.includes(type))![0]
}

/** What each model has, and nothing else (spec 3 B). */
export const fields: Readonly<Record<EventKind, readonly string[]>> = (() => {
  const times = ['id', 'creationDate', 'updateDate']
  const owned = [...times, 'subscriptionId', 'status']
  const student = ['studentName', 'studentSocialName', 'studentCpf', 'course', 'issuingIes']
  const emission = [...owned, ...student, 'version', 'reason', 'degreeId']
  const canceled = ['reason', 'cancellationReason']
  const signing = ['signerDocumentId', 'signerDocumentUrl']
  return {
    Degree: [
      ...owned,
      ...student,
      ...['registeringIes', 'verificationCode', 'version', ...canceled, 'academicTranscriptCreationError'],
    ],
    Emission: emission,
    EmissionRegistration: [...emission, 'registrationStatus', 'registrationCancellationReason'],
    Registration: [
      ...owned,
      ...['studentName', 'studentCpf', 'course', 'issuingIes', 'description', 'version', ...canceled],
    ],
    AcademicTranscript: [...owned, ...student, 'type', 'version', 'verificationCode', 'reason'],
    Curriculum: [...owned, 'code', 'course', 'iesName', 'version', 'validationCode', 'reason'],
    CancellationList: [
      ...[...times, 'status', 'iesCode', 'iesName', 'sequenceNumber', 'version', 'maximumNextUpdateDate'],
      ...signing,
    ],
    InspectionFile: [
      ...[...times, 'status', 'type', 'iesCode', 'inspectedDegreesNumber', 'startDate', 'endDate', 'version'],
      'details',
    ],
    Restamp: [
      ...owned,
      ...['documentType', 'documentId', 'identifier', 'archivingExpiringDate', 'date', 'errorReason'],
    ],
  }
})()

type Step = readonly [move: string, type: string | undefined, set?: object]

/** Lives that show every type: how an item is made, what is told of that, and of each move. */
export const lives: readonly (readonly [
  kind: EventKind,
  made: object,
  created: string | undefined,
  ...steps: Step[],
])[] = [
  [
    'Degree',
    {},
    'DegreeCreated',
    ['closeDocumentation', undefined],
    ['conclude', 'DegreeConcluded'],
    ['suspend', 'DegreeCanceledTemporarily', { reason: 'Em análise' }],
    ['restore', 'DegreeRestored', { reason: 'Analisado', was_restored: 1 }],
    ['annul', 'DegreeCanceled', { reason: 'Erro na data', cancellation_reason: 'ErroDeFato' }],
  ],
  [
    'Emission',
    {},
    'EmissionCreated',
    ['sign', 'EmissionSigned'],
    ['send', 'EmissionSentToRegistry'],
    ['register', 'EmissionRegistered', { degree_id: crypto.randomUUID() }],
  ],
  ['Emission', {}, 'EmissionCreated', ['cancel', 'EmissionCanceled', { reason: 'Desistência' }]],
  [
    'EmissionRegistration',
    { status: 'SentToRegistry', registration_status: 'AwaitingAcceptance' },
    undefined,
    ['accept', 'EmissionRegistrationAccepted'],
    ['approve', 'EmissionRegistrationApproved'],
    ['register', 'EmissionRegistrationRegistered'],
    ['cancel', 'EmissionRegistrationCanceled', { registration_cancellation_reason: 'ErroDeFato' }],
  ],
  [
    'EmissionRegistration',
    { status: 'SentToRegistry', registration_status: 'AwaitingAcceptance' },
    undefined,
    ['reject', 'EmissionRegistrationRejected'],
  ],
  [
    'Registration',
    {},
    'RegistrationCreated',
    ['accept', 'RegistrationAccepted'],
    ['approve', 'RegistrationApproved'],
    ['register', 'RegistrationRegistered'],
    ['sign', 'RegistrationSigned'],
    ['annul', 'RegistrationCanceled', { cancellation_reason: 'DecisaoJudicial' }],
  ],
  ['Registration', {}, 'RegistrationCreated', ['reject', 'RegistrationRejected', { reason: 'Faltam documentos' }]],
  [
    'AcademicTranscript',
    {},
    'AcademicTranscriptCreated',
    ['conclude', 'AcademicTranscriptConcluded'],
    ['suspend', 'AcademicTranscriptCanceledTemporarily'],
    ['restore', 'AcademicTranscriptConcluded'],
    ['cancel', 'AcademicTranscriptCanceled'],
  ],
  ['Curriculum', {}, 'CurriculumCreated', ['conclude', 'CurriculumConcluded'], ['cancel', 'CurriculumCanceled']],
  ['CancellationList', {}, 'CancellationListCreated', ['sign', 'CancellationListSigned']],
  [
    'InspectionFile',
    {},
    undefined,
    ['generate', 'InspectionFileCreated', { inspected_degrees: 3 }],
    ['sign', 'InspectionFileSigned'],
  ],
  ['InspectionFile', {}, undefined, ['fail', 'InspectionFileGenerationError', { details: 'No degree in the period.' }]],
  [
    'Restamp',
    {},
    'RestampCreated',
    ['update', 'RestampUpdated', { updates: 1 }],
    ['fail', 'RestampApplyingError', { error_reason: 'No timestamp.' }],
    ['retry', 'RestampUpdated'],
    ['apply', 'RestampApplied'],
  ],
]
