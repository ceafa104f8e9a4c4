// Documents of an organization (document-platform facts 1.3, 1.5, 1.7, 1.8).
import Type from 'typebox'
import { Count, cleanedLine, cleanedLines, Flag, Id, line, maybe, orNull, pageOf, paging, Text } from './common.ts'
import { pdfRefusals } from './errors.ts'
import {
  AttachmentReference,
  actionOptions,
  Document,
  DocumentListItem,
  documentTypes,
  FileReference,
  FlowActionCreate,
  Mark,
  ObserverCreate,
  signatureTypes,
  TagValue,
} from './models.ts'
import { verificationStamps } from './organizations.ts'

const tags = ['Documents']

const place = { folderId: maybe(Id), newFolderName: maybe(line(200)) }

const HealthData = Type.Object({
  professional: maybe(Type.Object({ id: maybe(Text), region: maybe(Text) })),
  items: maybe(
    Type.Array(Type.Object({ name: maybe(Text), description: maybe(Text), description2: maybe(Text) }), {
      maxItems: 1000,
    }),
  ),
})

const AdditionalInfo = Type.Object({
  fields: maybe(Type.Record(Type.String(), Type.Unknown())),
  metadata: maybe(Type.Record(Type.String(), Type.Unknown())),
  healthData: maybe(HealthData),
})

const templateFields = {
  templateId: maybe(Type.String({ maxLength: 64, description: 'Instead of files: a form the organization keeps.' })),
  templateFieldValues: maybe(Type.Record(Type.String(), Type.Unknown())),
  participantsDataFile: maybe(
    Type.Object(
      { id: maybe(Id), name: maybe(Text), contentType: maybe(Text) },
      { description: 'Refused here: POST /api/documents/generation takes it.' },
    ),
  ),
}

/** What creates documents. */
export const CreateDocuments = Type.Object(
  {
    files: Type.Array(FileReference, { maxItems: 50_000, description: 'Empty with templateId.' }),
    flowActions: Type.Array(FlowActionCreate),
    observers: maybe(Type.Array(ObserverCreate, { maxItems: 100 })),
    attachments: maybe(Type.Array(AttachmentReference, { maxItems: 100 })),
    isEnvelope: maybe(Flag),
    envelopeName: maybe(cleanedLine(260)),
    ...place,
    description: maybe(cleanedLines(4000)),
    expirationDate: maybe(Type.String({ maxLength: 40, description: 'Its day counts, not its time.' })),
    notifiedEmails: maybe(Type.Array(Type.String({ maxLength: 254 }), { maxItems: 100 })),
    disablePendingActionNotifications: maybe(Flag),
    disableNotifications: maybe(Flag),
    forceCadesSignature: maybe(Flag),
    tags: maybe(Type.Array(TagValue, { maxItems: 100 })),
    additionalInfo: maybe(AdditionalInfo),
    xmlNamespaces: maybe(Type.Array(Type.Object({ prefix: Text, uri: Text }), { maxItems: 100 })),
    type: maybe(Type.Enum([...documentTypes])),
    signatureType: maybe(Type.Enum([...signatureTypes])),
    securityContextId: maybe(Id),
    ...templateFields,
    timestampEnabled: maybe(Flag),
    verificationStamp: maybe(
      Type.Enum([...verificationStamps], {
        description:
          'What its PDF, and every later version of it, gets before anybody signs; null: what the organization chose.',
      }),
    ),
  },
  { $id: 'CreateDocumentRequest' },
)

export const createDocuments = {
  method: 'POST',
  path: '/api/documents',
  summary: 'Creates a document for each file, or one envelope of all of them, and begins its flow.',
  tags,
  body: CreateDocuments,
  answer: Type.Array(
    Type.Object({
      uploadId: Id,
      documentId: Id,
      attachments: Type.Array(Type.Object({ uploadId: Id, attachmentId: Id })),
    }),
  ),
  access: 'documents.create',
  refusals: [
    'UploadNotFound',
    'FolderNotFound',
    'FlowRequired',
    'InvalidFlowAction',
    'AuthenticationNotAvailable',
    'SecurityContextNotFound',
    'DocumentTemplateNotFound',
    'ExpirationInPast',
    'EnvelopeRequiresPdf',
    'InvalidDocumentContent',
    ...pdfRefusals,
    'MaxFilesLimitReached',
    'MaxSignersLimitReached',
  ],
} as const

export const documentFilters = [
  'PendingOrRefused',
  'Concluded',
  'CanceledOrExpired',
  'Pending',
  'Refused',
  'Canceled',
  'Expired',
] as const

export const listDocuments = {
  method: 'GET',
  path: '/api/documents',
  summary: 'Lists documents.',
  tags,
  query: Type.Object({
    ...paging,
    status: Type.Optional(Type.Enum([...documentFilters])),
    isConcluded: Type.Optional(Type.Boolean({ description: 'Former way to say status.' })),
    folderId: Type.Optional(Id),
    folderType: Type.Optional(Type.Enum(['Normal', 'WithoutFolder'])),
    documentType: Type.Optional(Text),
    filterByDocumentType: Type.Optional(Flag),
    filterByPendingSignature: Type.Optional(
      Type.Boolean({ description: 'Only documents whose flow has signatures, not approvals alone.' }),
    ),
    queryType: Type.Optional(Type.Enum(['Name', 'Key', 'Id', 'CreatorName', 'Tag'])),
    participantQ: Type.Optional(Type.String({ maxLength: 254 })),
    participantQueryType: Type.Optional(Type.Enum(['Name', 'Identifier', 'Email', 'Phone'])),
    tags: Type.Optional(Type.String({ maxLength: 4000, description: 'label|value pairs, separated by commas.' })),
    isDeleted: Type.Optional(Flag),
    cursor: Type.Optional(
      Type.String({ format: 'uuid', description: 'nextCursor of the page before: the page after it, at any depth.' }),
    ),
  }),
  answer: pageOf(DocumentListItem),
  access: 'documents.read',
  refusals: ['FolderNotFound'],
} as const

export const readDocument = {
  method: 'GET',
  path: '/api/documents/{id}',
  summary: 'Details of a document, its flow included.',
  tags,
  answer: Document,
  access: 'documents.read',
  refusals: ['DocumentNotFound'],
} as const

export const deleteDocument = {
  method: 'DELETE',
  path: '/api/documents/{id}',
  summary: 'Deletes a document.',
  tags,
  status: 200,
  access: 'documents.change',
  refusals: ['DocumentNotFound'],
} as const

export const contentTypes = [
  'Original',
  'Signatures',
  'OriginalWithMarks',
  'SignatureMarks',
  'SigningTags',
  'PrinterFriendlyVersion',
  'SignaturesManifest',
] as const

const contentQuery = Type.Object({
  type: Type.Optional(Type.Enum([...contentTypes], { default: 'Signatures' })),
})

const contentRefusals = ['DocumentNotFound', 'DocumentVersionNotAvailable', ...pdfRefusals] as const

export const readContent = {
  method: 'GET',
  path: '/api/documents/{id}/content',
  summary: 'The bytes of a document in one of its forms.',
  tags,
  query: contentQuery,
  produces: 'application/octet-stream',
  access: 'documents.read',
  refusals: contentRefusals,
} as const

export const readContentBase64 = {
  method: 'GET',
  path: '/api/documents/{id}/content-b64',
  summary: 'The same in JSON.',
  tags,
  query: contentQuery,
  answer: Type.Object({ bytes: Text, name: Text, contentType: Text }),
  access: 'documents.read',
  refusals: contentRefusals,
} as const

export const createContentTicket = {
  method: 'GET',
  path: '/api/documents/{id}/ticket',
  summary: 'A path that gives the bytes without a key for a short time.',
  tags,
  query: Type.Object({ ...contentQuery.properties, preview: Type.Optional(Flag) }),
  answer: Type.Object({ location: Type.String({ description: 'Relative to the base URL.' }) }),
  access: 'documents.read',
  refusals: contentRefusals,
} as const

export const readContentByTicket = {
  method: 'GET',
  path: '/api/documents/content',
  summary: 'The bytes a ticket is for.',
  tags,
  query: Type.Object({ access_ticket: Type.String({ maxLength: 4000 }), preview: Type.Optional(Flag) }),
  produces: 'application/octet-stream',
  access: 'anonymous',
  refusals: ['ActionTicketInvalidOrExpired', 'DocumentVersionNotAvailable', ...pdfRefusals],
} as const

export const readAttachment = {
  method: 'GET',
  path: '/api/documents/{id}/attachments/{attachmentId}',
  summary: 'The bytes of an attachment.',
  tags,
  produces: 'application/octet-stream',
  access: 'documents.read',
  refusals: ['DocumentNotFound', 'AttachmentNotFound'],
} as const

export const createActionUrl = {
  method: 'POST',
  path: '/api/documents/{id}/action-url',
  summary: 'The address where a participant reads the document and acts.',
  tags,
  body: Type.Object(
    {
      identifier: maybe(Type.String({ maxLength: 20, description: 'CPF of the participant.' })),
      emailAddress: maybe(Type.String({ maxLength: 254 })),
      requireEmailAuthentication: maybe(Flag),
      flowActionId: maybe(Type.String({ description: 'When the participant has several pending actions.' })),
    },
    { $id: 'ActionUrlRequest' },
  ),
  answer: Type.Object({ url: Text, embedUrl: Text }),
  access: 'documents.act-for',
  refusals: ['DocumentNotFound', 'DocumentNotPending', 'ParticipantNotFound'],
} as const

export const revokeActionUrls = {
  method: 'POST',
  path: '/api/documents/{id}/action-url/revocation',
  summary:
    'Ends every address made so far under which participants read the document and act, those of mails included.',
  description:
    'Of the participants who are named by CPF, e-mail address or action; of all when nobody is. New addresses can be made.',
  tags,
  body: Type.Object(
    {
      identifier: maybe(Type.String({ maxLength: 20, description: 'CPF of the participant.' })),
      emailAddress: maybe(Type.String({ maxLength: 254 })),
      flowActionId: maybe(Type.String({ description: 'All participants of one action.' })),
    },
    { $id: 'ActionUrlRevocationRequest' },
  ),
  answer: Type.Object({ revoked: Type.Integer({ minimum: 1, description: 'Of how many participants.' }) }),
  access: 'documents.act-for',
  refusals: ['DocumentNotFound', 'ParticipantNotFound'],
} as const

const Reason = Type.Object({ reason: cleanedLines(4000, 1) })

export const cancelDocument = {
  method: 'POST',
  path: '/api/documents/{id}/cancellation',
  summary: 'Ends a pending document.',
  tags,
  body: Reason,
  status: 200,
  access: 'documents.change',
  refusals: ['DocumentNotFound', 'DocumentNotPending'],
} as const

export const refuseDocument = {
  method: 'POST',
  path: '/api/documents/{id}/refusal',
  summary: 'Refuses a pending document for the organization.',
  tags,
  body: Reason,
  status: 200,
  access: 'documents.change',
  refusals: ['DocumentNotFound', 'DocumentNotPending'],
} as const

const versionRefusals = [
  'DocumentNotFound',
  'UploadNotFound',
  'InvalidDocumentContent',
  ...pdfRefusals,
  'EnvelopeRequiresPdf',
  'FlowActionNotFound',
  'InvalidFlowAction',
] as const

const versionFields = {
  disablePendingActionNotifications: maybe(Flag),
  additionalInfo: maybe(AdditionalInfo),
  prePositionedMarks: maybe(
    Type.Array(Type.Object({ flowActionId: Id, prePositionedDocumentMarks: Type.Array(Mark, { maxItems: 500 }) }), {
      maxItems: 1000,
      description: 'Marks on the new file; an action that is not named keeps those it has.',
    }),
  ),
}

export const addVersion = {
  method: 'POST',
  path: '/api/documents/{id}/versions',
  summary: 'Replaces the file and begins the flow again.',
  tags,
  body: Type.Object({ file: FileReference, ...versionFields }, { $id: 'AddVersionRequest' }),
  status: 200,
  access: 'documents.change',
  refusals: versionRefusals,
} as const

export const addEnvelopeVersion = {
  method: 'POST',
  path: '/api/documents/{id}/envelope/versions',
  summary: 'Replaces the files of an envelope and begins the flow again.',
  tags,
  body: Type.Object(
    {
      files: Type.Array(FileReference, { minItems: 1 }),
      envelopeName: maybe(cleanedLine(260)),
      ...versionFields,
    },
    { $id: 'EnvelopeAddVersionRequest' },
  ),
  status: 200,
  access: 'documents.change',
  refusals: versionRefusals,
} as const

const EditedMember = Type.Object({
  userId: Id,
  emailAddress: maybe(Type.String({ maxLength: 254 })),
  phoneNumber: maybe(cleanedLine(40)),
})

const editedOptions = {
  flowActionId: Id,
  step: maybe(Type.Integer({ minimum: 1, maximum: 1000 })),
  participantEmailAddress: maybe(Type.String({ maxLength: 254 })),
  participantPhoneNumber: maybe(cleanedLine(40)),
  ruleUsers: maybe(Type.Array(EditedMember)),
  signRuleUsers: maybe(Type.Array(EditedMember, { description: 'Former name of ruleUsers.' })),
  ...actionOptions,
}

const ParticipantData = Type.Object({ name: orNull(Text), identifier: orNull(Text), email: orNull(Text) })

export const editFlow = {
  method: 'POST',
  path: '/api/documents/{id}/flow',
  summary: 'Changes the flow of a pending document.',
  tags,
  body: Type.Object(
    {
      addedFlowActions: maybe(Type.Array(FlowActionCreate)),
      editedFlowActions: maybe(Type.Array(Type.Object(editedOptions))),
      deletedFlowActionIds: maybe(Type.Array(Id)),
      addedObservers: maybe(Type.Array(ObserverCreate)),
      editedObservers: maybe(Type.Array(Type.Object({ observerId: Id, emailAddress: Text }))),
      deletedObserverIds: maybe(Type.Array(Id)),
    },
    { $id: 'DocumentFlowEditRequest' },
  ),
  answer: Type.Object({
    rectifiedParticipants: Type.Array(
      Type.Object({ userId: Id, requested: ParticipantData, rectified: ParticipantData }),
    ),
  }),
  access: 'documents.change',
  refusals: [
    'DocumentNotFound',
    'DocumentNotPending',
    'FlowActionNotFound',
    'InvalidFlowAction',
    'AuthenticationNotAvailable',
    'ObserverNotFound',
  ],
} as const

export const moveDocument = {
  method: 'POST',
  path: '/api/documents/{id}/folder',
  summary: 'Moves a document to a folder, or out of any.',
  tags,
  body: Type.Object(place),
  status: 200,
  access: 'documents.change',
  refusals: ['DocumentNotFound', 'FolderNotFound'],
} as const

export const moveDocuments = {
  method: 'POST',
  path: '/api/documents/batch/folder',
  summary: 'Moves several documents.',
  tags,
  body: Type.Object({ documents: Type.Array(Id, { minItems: 1, maxItems: 1000 }), ...place }),
  answer: Type.Array(Type.Object({ id: Id, success: Flag, errorMessage: orNull(Text) })),
  access: 'documents.change',
  refusals: ['FolderNotFound'],
} as const

export const setNotifiedEmails = {
  method: 'PUT',
  path: '/api/documents/{id}/notified-emails',
  summary: 'Who is told by e-mail when the document is concluded.',
  tags,
  body: Type.Object({ emails: Type.Array(Type.String({ maxLength: 254 }), { maxItems: 100 }) }),
  status: 200,
  access: 'documents.change',
  refusals: ['DocumentNotFound'],
} as const

export const countDocuments = {
  method: 'POST',
  path: '/api/documents/date',
  summary: 'How many documents and envelopes were created in a time.',
  tags,
  body: Type.Object({ startDateUtc: Text, endDateUtc: Text }),
  answer: Type.Object({ totalDocuments: Count, totalEnvelopes: Count }),
  access: 'documents.count',
} as const

const TimelineEntry = Type.Object({
  id: Id,
  type: Text,
  date: Text,
  agent: orNull(Type.Object({ id: orNull(Id), name: Text, type: Text })),
  flowActionId: orNull(Id),
  detail: orNull(Text),
})

export const readTimeline = {
  method: 'GET',
  path: '/api/documents/{id}/timeline',
  summary: 'What happened to a document, the oldest first.',
  tags,
  answer: Type.Array(TimelineEntry),
  access: 'documents.read',
  refusals: ['DocumentNotFound'],
} as const
