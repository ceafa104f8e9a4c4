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
