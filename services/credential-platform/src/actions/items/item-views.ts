// An item as the models show it, in answers and in webhooks (spec 3 B).
import type { EventModels } from '../../contract/models.ts'
import type { DegreeState } from '../../contract/vocabulary.ts'
import type {
  AcademicTranscriptRow,
  CancellationListRow,
  CurriculumRow,
  DegreeRow,
  EmissionRow,
  InspectionFileRow,
  RegistrationRow,
  RestampRow,
} from '../../store/document-tables.ts'

type Times = Pick<DegreeRow, 'id' | 'created_at' | 'updated_at'>

const times = ({ id, created_at, updated_at }: Times) => ({ id, creationDate: created_at, updateDate: updated_at })

const owned = (row: Times & Pick<DegreeRow, 'subscription_id'>) => ({
  ...times(row),
  subscriptionId: row.subscription_id,
})

type OfStudent = Pick<DegreeRow, 'student_name' | 'student_social_name' | 'student_cpf' | 'course' | 'issuing_ies'>

const student = (row: OfStudent) => ({
  studentName: row.student_name,
  studentSocialName: row.student_social_name,
  studentCpf: row.student_cpf,
  course: row.course,
  issuingIes: row.issuing_ies,
})

/** Whether the first or the second XML is missing is nobody's business outside. */
const shownState = (state: DegreeState) => (state === 'PendingPublicXml' ? 'Pending' : state)

export const degreeView = (row: DegreeRow): EventModels['Degree'] => ({
  ...owned(row),
  status: shownState(row.status),
  ...student(row),
  registeringIes: row.registering_ies,
  verificationCode: row.verification_code,
  version: row.version,
  reason: row.reason,
  cancellationReason: row.cancellation_reason,
  academicTranscriptCreationError: row.transcript_creation_error,
})

export const emissionView = (row: EmissionRow): EventModels['Emission'] => ({
  ...owned(row),
  status: row.status,
  ...student(row),
  version: row.version,
  reason: row.reason,
  degreeId: row.degree_id,
})

export const emissionRegistrationView = (row: EmissionRow): EventModels['EmissionRegistration'] => ({
  ...emissionView(row),
  registrationStatus: row.registration_status,
  registrationCancellationReason: row.registration_cancellation_reason,
})

export const registrationView = (row: RegistrationRow): EventModels['Registration'] => ({
  ...owned(row),
  status: row.status,
  studentName: row.student_name,
  studentCpf: row.student_cpf,
  course: row.course,
  issuingIes: row.issuing_ies,
  description: row.description,
  version: row.version,
  reason: row.reason,
  cancellationReason: row.cancellation_reason,
})

export const transcriptView = (row: AcademicTranscriptRow): EventModels['AcademicTranscript'] => ({
  ...owned(row),
  status: row.status,
  ...student(row),
  type: row.type,
  version: row.version,
  verificationCode: row.verification_code,
  reason: row.reason,
})

export const curriculumView = (row: CurriculumRow): EventModels['Curriculum'] => ({
  ...owned(row),
  status: row.status,
  code: row.code,
  course: row.course,
  iesName: row.ies_name,
  version: row.version,
  validationCode: row.validation_code,
  reason: row.reason,
})

export const cancellationListView = (row: CancellationListRow): EventModels['CancellationList'] => ({
  ...times(row),
  status: row.status,
  iesCode: row.ies_code,
  iesName: row.ies_name,
  sequenceNumber: row.sequence_number,
  version: row.version,
  maximumNextUpdateDate: row.maximum_next_update_date,
  signerDocumentId: row.signer_document_id,
  signerDocumentUrl: row.signer_document_url,
})

export const inspectionFileView = (row: InspectionFileRow): EventModels['InspectionFile'] => ({
  ...times(row),
  status: row.status,
  type: row.type,
  iesCode: row.ies_code,
  inspectedDegreesNumber: row.inspected_degrees,
  startDate: row.start_date,
  endDate: row.end_date,
  version: row.version,
  details: row.details,
})

export const restampView = (row: RestampRow): EventModels['Restamp'] => ({
  ...owned(row),
  status: row.status,
  documentType: row.document_type,
  documentId: row.document_id,
  identifier: row.identifier,
  archivingExpiringDate: row.archiving_expires_at,
  date: row.due_at,
  errorReason: row.error_reason,
})
