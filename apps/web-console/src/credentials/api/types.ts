import type {
  AnswerOf,
  BodyOf,
  batches,
  beginCloudSigning,
  beginSecondFactor,
  beginTokenSigning,
  changePassword,
  courses,
  createApplicationKey,
  createUser,
  EventKind,
  EventModels,
  flows,
  listApplicationKeys,
  listApplications,
  listDocuments,
  listEvents,
  listPartnerships,
  listUsers,
  listWaitingDocuments,
  lookSigning,
  offerDegree,
  proposePartnership,
  putDocumentPlatform,
  putSubscriptionWebhook,
  readDocumentPlatform,
  readInstitute,
  readInstituteCertificate,
  readInstituteIntegration,
  readMe,
  readRegistrySettings,
  readSigner,
  readSubscriptionWebhook,
  readTemplateGuide,
  renewDegreeRepresentation,
  setInstituteIntegration,
  signIn,
  startSignature,
  templates,
  testDocumentPlatform,
} from '@chancela/credential-platform/contract'

/** A page of a list; the total is null where there are more than are counted. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly page: number
  readonly pageSize: number
  readonly totalCount: number | null
}

export type Me = AnswerOf<typeof readMe>
export type Membership = Me['subscriptions'][number]
export type Role = Membership['role']
export type Credentials = BodyOf<typeof signIn>
export type NewSecondFactor = AnswerOf<typeof beginSecondFactor>
export type PasswordChange = BodyOf<typeof changePassword>

export type User = AnswerOf<typeof listUsers>['items'][number]
export type InvitedUser = AnswerOf<typeof createUser>
export type Application = AnswerOf<typeof listApplications>['items'][number]
export type ApplicationKey = AnswerOf<typeof listApplicationKeys>[number]
export type NewKey = BodyOf<typeof createApplicationKey>
export type CreatedKey = AnswerOf<typeof createApplicationKey>
export type EntityEvent = AnswerOf<typeof listEvents>['items'][number]

export type Webhook = AnswerOf<typeof readSubscriptionWebhook>
export type WebhookChange = BodyOf<typeof putSubscriptionWebhook>
export type Integration = AnswerOf<typeof readInstituteIntegration>
export type IntegrationChange = BodyOf<typeof setInstituteIntegration>

export type Connection = AnswerOf<typeof readDocumentPlatform>
export type ConnectionChange = BodyOf<typeof putDocumentPlatform>
export type ConnectionTest = AnswerOf<typeof testDocumentPlatform>

export type Institute = AnswerOf<typeof readInstitute>
export type Partnership = AnswerOf<typeof listPartnerships>['items'][number]
export type NewPartnership = BodyOf<typeof proposePartnership>
export type Course = AnswerOf<typeof courses.read>
export type Flow = AnswerOf<typeof flows.read>
export type FlowStep = Flow['steps'][number]
export type Template = AnswerOf<typeof templates.read>

export type Certificate = AnswerOf<typeof readInstituteCertificate>
export type RegistrySettings = AnswerOf<typeof readRegistrySettings>
export type XmlDocument = AnswerOf<typeof listDocuments>['items'][number]
export type SigningStep = XmlDocument['steps'][number]
export type StartedSignature = AnswerOf<typeof startSignature>
export type Signer = AnswerOf<typeof readSigner>
export type WaitingDocument = AnswerOf<typeof listWaitingDocuments>['items'][number]
export type CloudSigningBegun = AnswerOf<typeof beginCloudSigning>
export type TokenSigningBegun = AnswerOf<typeof beginTokenSigning>
export type Signing = AnswerOf<typeof lookSigning>
export type Batch = AnswerOf<typeof batches.Degree.read>
export type BatchRow = AnswerOf<typeof batches.Degree.rows>['items'][number]
export type CancellationList = EventModels['CancellationList']
export type InspectionFile = EventModels['InspectionFile']

export type Restamp = EventModels['Restamp']

type Registration = EventModels['Registration']
type Transcript = EventModels['AcademicTranscript']
type Curriculum = EventModels['Curriculum']
type Degree = EventModels['Degree']
type Emission = EventModels['EmissionRegistration']

export type ItemStatus = (Registration | Transcript | Curriculum | Degree | Emission)['status']
export type CancellationReason = NonNullable<Registration['cancellationReason']>

/** A document of any kind that has pages of its own: what all have, and what some have besides. */
export type Item = Pick<Registration, 'id' | 'course' | 'version' | 'reason' | 'creationDate' | 'updateDate'> & {
  readonly status: ItemStatus
} & Partial<Omit<Registration, 'status'>> &
  Partial<Pick<Transcript, 'type' | 'studentSocialName'>> & { readonly verificationCode?: string | null } & Partial<
    Pick<Curriculum, 'code' | 'iesName' | 'validationCode'>
  > &
  Partial<Pick<Degree, 'registeringIes' | 'academicTranscriptCreationError'>> &
  Partial<Pick<Emission, 'registrationStatus' | 'degreeId'>>

/** Enumerations of the contract in display order; the compiler checks that each value is in the contract. */
export const roles = ['Administrador', 'Gerente'] as const satisfies readonly Role[]

export const instituteKinds = [
  'IssuerAndRegistrar',
  'Issuer',
  'Registrar',
] as const satisfies readonly Institute['kind'][]

export const webhookAuthTypes = [
  'NoAuth',
  'Basic',
  'Bearer',
  'ApiKey',
] as const satisfies readonly Webhook['authType'][]

export const flowDocuments = [
  'AcademicDocumentation',
  'Degree',
  'AcademicTranscript',
  'Curriculum',
  'CancellationList',
  'InspectionFile',
] as const satisfies readonly Flow['documentKind'][]

export const signingPlaces = ['Here', 'DocumentPlatform'] as const satisfies readonly Flow['signedAt'][]

export type TemplateKind = Template['kind']
export type TemplateGuide = AnswerOf<typeof readTemplateGuide>
export type Representation = AnswerOf<typeof renewDegreeRepresentation>
export type WalletOffer = AnswerOf<typeof offerDegree>

export const templateKinds = ['RVDD', 'RVHE', 'RVCE'] as const satisfies readonly TemplateKind[]

export const eventKinds = [
  'Degree',
  'Emission',
  'EmissionRegistration',
  'Registration',
  'AcademicTranscript',
  'Curriculum',
  'CancellationList',
  'InspectionFile',
  'Restamp',
] as const satisfies readonly EventKind[]

export const cancellationReasons = [
  'ErroDeFato',
  'ErroDeDireito',
  'DecisaoJudicial',
  'ReemissaoParaComplementoDeInformacao',
  'ReemissaoParaInclusaoDeHabilitacao',
  'ReemissaoParaAnotacaoDeRegistro',
] as const satisfies readonly CancellationReason[]

export const restampStatuses = ['Scheduled', 'ApplyingError', 'Applied'] as const satisfies readonly Restamp['status'][]

export const transcriptTypes = [
  'Partial',
  'Final',
  'SecondCopyBornPhysical',
] as const satisfies readonly Transcript['type'][]
