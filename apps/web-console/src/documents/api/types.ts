import type {
  AnswerOf,
  BodyOf,
  beginCloudSigning,
  beginSecondFactor,
  beginTokenSigning,
  createActionUrl,
  createApplication,
  createApplicationKey,
  createDocuments,
  createFlow,
  createWebhook,
  listApplications,
  listAudit,
  listDeliveries,
  listDocuments,
  listFlows,
  listFolders,
  listOwnUsers,
  listSessions,
  lookComputerTest,
  lookTokenSigning,
  readAction,
  readDelivery,
  readDocument,
  readFlow,
  readMarksSessionPage,
  readMe,
  readOrganization,
  readSignaturesByKey,
  readSignInWays,
  readTimeline,
  saveMarks,
  startSignatureByKey,
  updateOrganization,
  uploadFile,
  verifyAudit,
} from '@chancela/document-platform/contract'

/** A page of a list; long lists carry no total. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly totalCount: number | null
}

export type Me = AnswerOf<typeof readMe>
export type SignInWays = AnswerOf<typeof readSignInWays>
export type AccountSession = AnswerOf<typeof listSessions>[number]
export type NewSecondFactor = AnswerOf<typeof beginSecondFactor>
/** What the owner of an account knows and has. */
export type Proof = BodyOf<typeof beginSecondFactor>
/** How far a right reaches: everything, what involves the user, what the user created, nothing. */
export type Reach = Me['rights'][string]

/** A line of the table of rights. */
export interface RightsRow {
  readonly operation: string
  /** By role. */
  readonly reaches: Readonly<Record<string, Reach>>
}

/** What an invitation is for, and whether its address signs in already. */
export interface Invitation {
  readonly organization: string
  readonly name: string
  readonly email: string
  readonly hasAccount: boolean
}

export type DocumentItem = AnswerOf<typeof listDocuments>['items'][number]
export type DocumentView = AnswerOf<typeof readDocument>
export type DocumentStatus = DocumentView['status']
export type FlowActionView = DocumentView['flowActions'][number]
export type ActionStatus = FlowActionView['status']
export type ActionType = FlowActionView['type']
export type TimelineEntry = AnswerOf<typeof readTimeline>[number]
export type Folder = AnswerOf<typeof listFolders>['items'][number]
export type NewDocuments = BodyOf<typeof createDocuments>
export type CreatedDocument = AnswerOf<typeof createDocuments>[number]
export type NewFlowAction = NewDocuments['flowActions'][number]
export type NewObserver = NonNullable<NewDocuments['observers']>[number]
export type FileReference = NewDocuments['files'][number]
export type Mark = NonNullable<NewFlowAction['prePositionedMarks']>[number]
export type CertificateType = NonNullable<NewFlowAction['requiredCertificateTypeToSign']>
export type NoticeLanguage = NonNullable<NewFlowAction['notificationLanguage']>
export type UploadedFile = AnswerOf<typeof uploadFile>
export type ActionUrl = AnswerOf<typeof createActionUrl>
export type SavedFlowItem = AnswerOf<typeof listFlows>['items'][number]
export type SavedFlow = AnswerOf<typeof readFlow>
export type NewSavedFlow = BodyOf<typeof createFlow>
export type ParticipantAction = AnswerOf<typeof readAction>
export type BegunCloudSigning = AnswerOf<typeof beginCloudSigning>
export type BegunTokenSigning = AnswerOf<typeof beginTokenSigning>
export type TokenSigningLook = AnswerOf<typeof lookTokenSigning>
export type ComputerTest = AnswerOf<typeof lookComputerTest>
export type StartedSignature = AnswerOf<typeof startSignatureByKey>
export type ValidationResults = NonNullable<StartedSignature['validationResults']>
export type SignaturesInfo = AnswerOf<typeof readSignaturesByKey>
export type SignerInfo = SignaturesInfo['signers'][number]
export type MarksSessionPage = AnswerOf<typeof readMarksSessionPage>
export type SessionMark = BodyOf<typeof saveMarks>['data'][number]
export type Organization = AnswerOf<typeof readOrganization>
export type OrganizationChange = BodyOf<typeof updateOrganization>
export type Billing = NonNullable<OrganizationChange['billingInformation']>
export type OrganizationUser = AnswerOf<typeof listOwnUsers>['items'][number]
export type AuditPage = AnswerOf<typeof listAudit>
export type AuditEntry = AuditPage['items'][number]
export type AuditVerification = AnswerOf<typeof verifyAudit>
export type Application = AnswerOf<typeof listApplications>[number]
export type CreatedApplication = AnswerOf<typeof createApplication>
export type CreatedKey = AnswerOf<typeof createApplicationKey>
export type Webhook = Organization['webhooks'][number]
export type WebhookChange = BodyOf<typeof createWebhook>
export type WebhookState = Webhook['state']
export type CreatedWebhook = AnswerOf<typeof createWebhook>
export type Delivery = AnswerOf<typeof listDeliveries>['items'][number]
export type DeliveryDetail = AnswerOf<typeof readDelivery>

/** Enumerations of the contract in display order; the compiler checks that each value is in the contract. */
export const actionTypes = ['Signer', 'Approver', 'SignRule', 'ApproverRule'] as const satisfies readonly ActionType[]

export const certificateTypes = [
  'A1',
  'A2',
  'A3',
  'A4',
  'S1',
  'S2',
  'S3',
  'S4',
  'T3',
  'T4',
] as const satisfies readonly CertificateType[]

export const noticeLanguages = ['Pt', 'En', 'Es'] as const satisfies readonly NoticeLanguage[]

export const statusFilters = ['Pending', 'Concluded', 'Refused', 'Canceled', 'Expired'] as const

export const queryTypes = ['Name', 'Key', 'CreatorName', 'Tag'] as const

export const contentTypes = [
  'Signatures',
  'Original',
  'PrinterFriendlyVersion',
  'SignaturesManifest',
  'OriginalWithMarks',
  'SignatureMarks',
  'SigningTags',
] as const

export type ContentType = (typeof contentTypes)[number]

export const webhookAuthTypes = [
  'NoAuth',
  'Basic',
  'Bearer',
  'ApiKey',
] as const satisfies readonly Webhook['authType'][]

/** The events a webhook may receive. */
export const eventTypes = [
  'DocumentsCreated',
  'DocumentSigned',
  'DocumentApproved',
  'DocumentRefused',
  'DocumentConcluded',
  'DocumentCanceled',
  'DocumentExpired',
  'DocumentDeleted',
] as const

export const deliveryStates = [
  'waiting',
  'delivered',
  'failed',
  'canceled',
] as const satisfies readonly Delivery['state'][]

export type { CloudOutcome } from '@chancela/document-platform/contract'
