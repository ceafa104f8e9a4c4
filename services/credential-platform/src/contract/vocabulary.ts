// Words of the domain: kinds, states, types and reasons (spec 3 B; credentials-platform facts 1.5, 2).

export const roles = ['Administrador', 'Gerente'] as const
export type Role = (typeof roles)[number]

/** What an institution may do with degrees (credentials-platform facts 1.7). */
export const instituteKinds = ['IssuerAndRegistrar', 'Issuer', 'Registrar'] as const

/** `PendingPublicXml` is not shown: who asks is told Pending. */
export const degreeStates = ['Pending', 'PendingPublicXml', 'Concluded', 'CanceledTemporarily', 'Canceled'] as const
export type DegreeState = (typeof degreeStates)[number]

export const degreeStatuses = ['Pending', 'Concluded', 'CanceledTemporarily', 'Canceled'] as const

export const emissionStatuses = ['Created', 'Signed', 'SentToRegistry', 'Registered', 'Canceled'] as const
export type EmissionStatus = (typeof emissionStatuses)[number]

export const registrationStatuses = [
  'AwaitingAcceptance',
  'Accepted',
  'Approved',
  'Rejected',
  'Registered',
  'Signed',
  'Canceled',
] as const
export type RegistrationStatus = (typeof registrationStatuses)[number]

export const transcriptStatuses = ['Pending', 'Concluded', 'CanceledTemporarily', 'Canceled'] as const
export type TranscriptStatus = (typeof transcriptStatuses)[number]

export const transcriptTypes = ['Partial', 'Final', 'SecondCopyBornPhysical'] as const
export type TranscriptType = (typeof transcriptTypes)[number]

export const curriculumStatuses = ['Pending', 'Concluded', 'Canceled'] as const
export type CurriculumStatus = (typeof curriculumStatuses)[number]

export const cancellationListStatuses = ['Created', 'Signed'] as const
export type CancellationListStatus = (typeof cancellationListStatuses)[number]

export const inspectionFileStatuses = ['Generating', 'Created', 'Signed', 'GenerationError'] as const
export type InspectionFileStatus = (typeof inspectionFileStatuses)[number]

export const inspectionFileTypes = ['Issuer', 'Registrar'] as const
export type InspectionFileType = (typeof inspectionFileTypes)[number]

export const restampStatuses = ['Scheduled', 'Applied', 'ApplyingError'] as const
export type RestampStatus = (typeof restampStatuses)[number]

/** Documents whose archive timestamps are renewed. */
export const restampedDocuments = ['AcademicDocumentation', 'Degree', 'AcademicTranscript', 'Curriculum'] as const
export type RestampedDocument = (typeof restampedDocuments)[number]

/** Reasons of a definitive annulment; each is one of the layout's own. */
export const cancellationReasons = [
  'ErroDeFato',
  'ErroDeDireito',
  'DecisaoJudicial',
  'ReemissaoParaComplementoDeInformacao',
  'ReemissaoParaInclusaoDeHabilitacao',
  'ReemissaoParaAnotacaoDeRegistro',
] as const
export type CancellationReason = (typeof cancellationReasons)[number]

export const partnershipStatuses = ['Proposed', 'Active', 'Ended'] as const
export type PartnershipStatus = (typeof partnershipStatuses)[number]

export const batchStatuses = ['Created', 'Processing', 'Finished', 'Canceled'] as const
export type BatchStatus = (typeof batchStatuses)[number]

/** What a batch makes. */
export const batchKinds = ['Degree', 'Emission', 'AcademicTranscript'] as const
export type BatchKind = (typeof batchKinds)[number]

export const batchFormats = ['Csv', 'Json'] as const
export type BatchFormat = (typeof batchFormats)[number]

/** A row has a status once it was looked at. */
export const batchRowStatuses = ['Done', 'Failed'] as const
export type BatchRowStatus = (typeof batchRowStatuses)[number]

/** What webhooks tell of: the eight kinds, and the registrar's part of an emission. */
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
] as const
export type EventKind = (typeof eventKinds)[number]

/** Kinds whose events go to the institution's webhook; those of all others go to the organization's. */
export const instituteEventKinds = ['CancellationList', 'InspectionFile'] as const satisfies readonly EventKind[]
