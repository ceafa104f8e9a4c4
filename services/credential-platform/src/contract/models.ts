// The data models of the platform, the same in answers and in webhooks (spec 3 B).
import Type, { type Static } from 'typebox'
import { Count, Day, orNull, Text, Time } from './common.ts'
import {
  cancellationListStatuses,
  cancellationReasons,
  curriculumStatuses,
  degreeStatuses,
  emissionStatuses,
  inspectionFileStatuses,
  inspectionFileTypes,
  registrationStatuses,
  restampedDocuments,
  restampStatuses,
  transcriptStatuses,
  transcriptTypes,
} from './vocabulary.ts'

const some = <const Values extends readonly string[]>(values: Values) => Type.Enum([...values] as Values[number][])

const Reason = orNull(Type.String({ description: 'What whoever changed the item wrote.' }))
const CancellationReason = orNull(some(cancellationReasons))
const Version = Type.String({ description: 'Version of the layout of the issued document.' })

const times = { id: Text, creationDate: Time, updateDate: Time }
const owned = { ...times, subscriptionId: Text }

const student = { studentName: Text, studentSocialName: orNull(Text), studentCpf: Text, course: Text, issuingIes: Text }

const DegreeModel = Type.Object(
  {
    ...owned,
    status: some(degreeStatuses),
    ...student,
    registeringIes: Text,
    verificationCode: orNull(Text),
    version: Version,
    reason: Reason,
    cancellationReason: CancellationReason,
    academicTranscriptCreationError: orNull(Text),
  },
  { $id: 'DegreeModel' },
)

const emission = {
  ...owned,
  status: some(emissionStatuses),
  ...student,
  version: Version,
  reason: Reason,
  degreeId: orNull(Text),
}

const EmissionModel = Type.Object(emission, { $id: 'EmissionModel' })

const EmissionRegistrationModel = Type.Object(
  {
    ...emission,
    registrationStatus: orNull(some(registrationStatuses)),
    registrationCancellationReason: orNull(Text),
  },
  { $id: 'EmissionRegistrationModel' },
)

const RegistrationModel = Type.Object(
  {
    ...owned,
    status: some(registrationStatuses),
    studentName: Text,
    studentCpf: Text,
    course: Text,
    issuingIes: Text,
    description: orNull(Text),
    version: Version,
    reason: Reason,
    cancellationReason: CancellationReason,
  },
  { $id: 'RegistrationModel' },
)

const AcademicTranscriptModel = Type.Object(
  {
    ...owned,
    status: some(transcriptStatuses),
    ...student,
    type: some(transcriptTypes),
    version: Version,
    verificationCode: Text,
    reason: Reason,
  },
  { $id: 'AcademicTranscriptModel' },
)

const CurriculumModel = Type.Object(
  {
    ...owned,
    status: some(curriculumStatuses),
    code: Text,
    course: Text,
    iesName: Text,
    version: Version,
    validationCode: Text,
    reason: Reason,
  },
  { $id: 'CurriculumModel' },
)

const CancellationListModel = Type.Object(
  {
    ...times,
    status: some(cancellationListStatuses),
    iesCode: Text,
    iesName: Text,
    sequenceNumber: Type.Integer({ minimum: 1 }),
    version: Version,
    maximumNextUpdateDate: Day,
    signerDocumentId: orNull(Text),
    signerDocumentUrl: orNull(Text),
  },
  { $id: 'CancellationListModel' },
)

const InspectionFileModel = Type.Object(
  {
    ...times,
    status: some(inspectionFileStatuses),
    type: some(inspectionFileTypes),
    iesCode: Text,
    inspectedDegreesNumber: Count,
    startDate: Day,
    endDate: Day,
    version: Version,
    details: orNull(Text),
  },
  { $id: 'InspectionFileModel' },
)

const RestampModel = Type.Object(
  {
    ...owned,
    status: some(restampStatuses),
    documentType: some(restampedDocuments),
    documentId: Text,
    identifier: Text,
    archivingExpiringDate: Time,
    date: Time,
    errorReason: orNull(Text),
  },
  { $id: 'RestampModel' },
)

/** The model of each kind of event. */
export const eventModels = {
  Degree: DegreeModel,
  Emission: EmissionModel,
  EmissionRegistration: EmissionRegistrationModel,
  Registration: RegistrationModel,
  AcademicTranscript: AcademicTranscriptModel,
  Curriculum: CurriculumModel,
  CancellationList: CancellationListModel,
  InspectionFile: InspectionFileModel,
  Restamp: RestampModel,
} as const

export type EventModels = { readonly [Kind in keyof typeof eventModels]: Static<(typeof eventModels)[Kind]> }
