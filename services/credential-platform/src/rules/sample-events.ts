// A sample of each kind of event, for those who write receivers.

import { eventTypes } from '../contract/event-types.ts'
import type { EventModels } from '../contract/models.ts'
import { eventModels } from '../contract/models.ts'
import type { EventKind } from '../contract/vocabulary.ts'

const at = { creationDate: '2026-01-10T12:00:00.000Z', updateDate: '2026-01-12T09:30:00.000Z' }
const ID = '00000000-0000-7000-8000-000000000000'

const student = {
  studentName: 'Ana Beatriz Souza',
  studentSocialName: null,
  studentCpf: '52998224725',
  course: 'Pedagogia',
  issuingIes: 'Faculdade Exemplo',
}

const emission = (subscriptionId: string): EventModels['Emission'] => ({
  id: ID,
  ...at,
  subscriptionId,
  status: 'Created',
  ...student,
  version: '1.05',
  reason: null,
  degreeId: null,
})

/** The item of each sample, just made. */
const samples = (subscriptionId: string): EventModels => ({
  Degree: {
    id: ID,
    ...at,
    subscriptionId,
    status: 'Pending',
    ...student,
    registeringIes: 'Universidade Exemplo',
    verificationCode: null,
    version: '1.05',
    reason: null,
    cancellationReason: null,
    academicTranscriptCreationError: null,
  },
  Emission: emission(subscriptionId),
  EmissionRegistration: {
    ...emission(subscriptionId),
    status: 'SentToRegistry',
    registrationStatus: 'Accepted',
    registrationCancellationReason: null,
  },
  Registration: {
    id: ID,
    ...at,
    subscriptionId,
    status: 'AwaitingAcceptance',
    studentName: student.studentName,
    studentCpf: student.studentCpf,
    course: student.course,
    issuingIes: student.issuingIes,
    description: null,
    version: '1.05',
    reason: null,
    cancellationReason: null,
  },
  AcademicTranscript: {
    id: ID,
    ...at,
    subscriptionId,
    status: 'Pending',
    ...student,
    type: 'Final',
    version: '1.05',
    verificationCode: '100.0a1b2c3d4e5f',
    reason: null,
  },
  Curriculum: {
    id: ID,
    ...at,
    subscriptionId,
    status: 'Pending',
    code: 'PED-2026',
    course: student.course,
    iesName: student.issuingIes,
    version: '1.05',
    validationCode: '100.0a1b2c3d4e5f',
    reason: null,
  },
  CancellationList: {
    id: ID,
    ...at,
    status: 'Created',
    iesCode: '200',
    iesName: 'Universidade Exemplo',
    sequenceNumber: 1,
    version: '1.05',
    maximumNextUpdateDate: '2026-02-10',
    signerDocumentId: null,
    signerDocumentUrl: null,
  },
  InspectionFile: {
    id: ID,
    ...at,
    status: 'Created',
    type: 'Issuer',
    iesCode: '100',
    inspectedDegreesNumber: 1,
    startDate: '2026-01-01',
    endDate: '2026-01-31',
    version: '1.05',
    details: null,
  },
  Restamp: {
    id: ID,
    ...at,
    subscriptionId,
    status: 'Scheduled',
    documentType: 'Degree',
    documentId: ID,
    identifier: '100.200.0a1b2c3d4e5f',
    archivingExpiringDate: '2026-07-01T00:00:00.000Z',
    date: '2026-04-01T00:00:00.000Z',
    errorReason: null,
  },
})

/** The type of the sample of a kind: that of an item that was just made. */
export const sampleType = (kind: EventKind): string => eventTypes[kind][0]

/** The samples of an organization, by their types. */
export const sampleEvents = (subscriptionId: string) => {
  const made = samples(subscriptionId)
  return Object.fromEntries(
    (Object.keys(made) as EventKind[]).map((kind) => [
      sampleType(kind),
      { description: `A sample of ${kind}.`, schema: eventModels[kind], sample: made[kind] },
    ]),
  )
}
