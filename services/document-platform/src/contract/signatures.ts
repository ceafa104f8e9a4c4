// How participants act, by document id or by key and ticket, and what is shown of signatures (document-platform facts
// 1.9, 1.10).
import Type from 'typebox'
import { cleanedLines, Flag, Id, maybe, orNull, Text, Time } from './common.ts'
import { CreateDocuments, createDocuments } from './documents.ts'
import {
  actionTypes,
  DocumentSignaturesInfo,
  documentStatuses,
  FileReference,
  Mark,
  SignaturePosition,
  SignerInfo,
  signatureTypes,
  ValidationResults,
} from './models.ts'

const tags = ['Signatures']

const Ticket = Type.String({ maxLength: 4000, description: 'From the address of the action.' })

const startFields = {
  certificate: Type.String({ maxLength: 100_000, description: 'DER, base64.' }),
  signaturePosition: maybe(SignaturePosition),
  userTimeZoneOffset: maybe(Type.Integer({ minimum: -900, maximum: 900, description: 'Minutes; UTC-3 is -180.' })),
  prescriptionSignerType: maybe(Text),
}

const StartAnswer = Type.Object(
  {
    success: Flag,
    token: orNull(Text),
    toSignHash: orNull(Type.String({ description: 'Base64.' })),
    digestAlgorithm: orNull(Type.String({ description: 'SHA-256 or SHA-512.' })),
    validationResults: orNull(ValidationResults),
  },
  { $id: 'StartSignatureResponse' },
)

const CompleteBody = Type.Object(
  {
    token: Type.String({ maxLength: 100_000 }),
    signature: Type.String({ maxLength: 10_000, description: 'Base64.' }),
    evidences: maybe(Type.Object({ geolocation: maybe(Type.Unknown()), selfieImage: maybe(Type.Unknown()) })),
    disableNotifications: maybe(Flag),
  },
  { $id: 'CompleteSignatureRequest' },
)

const CompleteAnswer = Type.Object(
  { success: Flag, validationResults: orNull(ValidationResults) },
  { $id: 'CompleteSignatureResponse' },
)

const startRefusals = [
  'CertificateNotFound',
  'CpfMismatch',
  'CpfNotExpected',
  'CertificateTypeNotAllowed',
  'InvalidFlowAction',
  'DocumentChanged',
  'DocumentTypeNotSupported',
  'TimestampNotAvailable',
] as const
const completeRefusals = [
  'SignatureTokenInvalidOrExpired',
  'DocumentChanged',
  'InvalidSignature',
  'InvalidFlowAction',
  'TimestampNotAvailable',
] as const
const byKey = ['DocumentInvalidKey', 'ActionTicketInvalidOrExpired'] as const

export const startSignatureByKey = {
  method: 'POST',
  path: '/api/documents/keys/{key}/signature/certificate',
  summary: 'Begins the signature of the participant the ticket is for: gives the hash to sign.',
  tags,
  body: Type.Object({ ticket: Ticket, ...startFields }, { $id: 'PublicStartSignatureRequest' }),
  answer: StartAnswer,
  access: 'anonymous',
  counted: true,
  refusals: [...byKey, ...startRefusals],
} as const

export const completeSignatureByKey = {
  method: 'POST',
  path: '/api/documents/keys/{key}/signature',
  summary: 'Completes the signature with the signed hash.',
  tags,
  body: CompleteBody,
  answer: CompleteAnswer,
  access: 'anonymous',
  counted: true,
  refusals: ['DocumentInvalidKey', ...completeRefusals],
} as const

export const startSignature = {
  method: 'POST',
  path: '/api/documents/{id}/signature/certificate',
  summary: 'Begins a signature for an application or user of the organization.',
  tags,
  body: Type.Object({ flowActionId: maybe(Id), ...startFields }, { $id: 'StartSignatureRequest' }),
  answer: StartAnswer,
  access: 'documents.sign',
  refusals: ['DocumentNotFound', 'ParticipantNotFound', ...startRefusals],
} as const

export const completeSignature = {
  method: 'POST',
  path: '/api/documents/{id}/signature',
  summary: 'Completes the signature with the signed hash.',
  tags,
  body: CompleteBody,
  answer: CompleteAnswer,
  access: 'documents.sign',
  refusals: ['DocumentNotFound', ...completeRefusals],
} as const

/** Largest file of a document that comes to be with its signature; larger ones are uploaded. */
export const LARGEST_NEW_FILE = 1024 * 1024

/** What a document is to be that comes to be with its signature: of what creates documents, all that fits one signer. */
export const NewDocument = Type.Pick(CreateDocuments, [
  'flowActions',
  'observers',
  'folderId',
  'newFolderName',
  'description',
  'expirationDate',
  'notifiedEmails',
  'disablePendingActionNotifications',
  'disableNotifications',
  'forceCadesSignature',
  'tags',
  'type',
  'signatureType',
  'securityContextId',
  'timestampEnabled',
  'verificationStamp',
])

export const startNewDocument = {
  method: 'POST',
  path: '/api/documents/signature/certificate',
  summary:
    'Begins a document that comes to be with its signature, for an application: takes the file and the certificate of its only signer, and gives the hash to sign. There is no document before that is completed.',
  tags,
  body: Type.Object(
    {
      file: Type.Object({
        ...Type.Omit(FileReference, ['id']).properties,
        content: Type.String({
          maxLength: 4 * Math.ceil(LARGEST_NEW_FILE / 3),
          description: 'Base64, of 1 MiB at most.',
        }),
      }),
      document: NewDocument,
      ...startFields,
    },
    { $id: 'StartNewDocumentRequest' },
  ),
  bodyLimitBytes: 2 * LARGEST_NEW_FILE,
  answer: Type.Object(
    { documentId: orNull(Id), ...StartAnswer.properties },
    { $id: 'StartNewDocumentResponse', description: 'The document will have this id.' },
  ),
  access: 'documents.create-signed',
  refusals: [
    'UploadTooLarge',
    ...createDocuments.refusals.filter((code) => code !== 'UploadNotFound'),
    ...startRefusals.filter((code) => code !== 'InvalidFlowAction'),
  ],
} as const

export const completeNewDocument = {
  method: 'POST',
  path: '/api/documents/signature',
  summary: 'Completes it with the signed hash: there is a document from here on, signed, or none at all.',
  tags,
  body: CompleteBody,
  answer: Type.Object({ documentId: orNull(Id), ...CompleteAnswer.properties }, { $id: 'CompleteNewDocumentResponse' }),
  access: 'documents.create-signed',
  refusals: ['FolderNotFound', 'ExpirationInPast', ...completeRefusals],
} as const

const electronicFields = {
  signaturePosition: maybe(SignaturePosition),
  signaturePositions: maybe(Type.Array(SignaturePosition, { maxItems: 100 })),
  signatureInitialsPositions: maybe(Type.Array(SignaturePosition, { maxItems: 500 })),
  signatureImage: maybe(
    Type.Object({
      id: Id,
      contentType: maybe(Text),
      save: maybe(Flag),
      showSignerInformation: maybe(Flag),
      alignTextOnMiddle: maybe(Flag),
    }),
  ),
  initialsImage: maybe(Type.Object({ id: Id, contentType: maybe(Text), save: maybe(Flag) })),
  authenticationType: maybe(Text),
  authenticationCode: maybe(Type.String({ maxLength: 20 })),
  smsCode: maybe(Type.String({ maxLength: 20 })),
  whatsappCode: maybe(Type.String({ maxLength: 20 })),
  otpCode: maybe(Type.String({ maxLength: 20 })),
  emailCode: maybe(Type.String({ maxLength: 20 })),
  evidences: maybe(Type.Object({ geolocation: maybe(Type.Unknown()), selfieImage: maybe(Type.Unknown()) })),
  userTimeZoneOffset: maybe(Type.Integer({ minimum: -900, maximum: 900 })),
  disableNotifications: maybe(Flag),
}

const electronicRefusals = [
  'ElectronicSignatureNotAllowed',
  'AuthenticationCodeInvalidOrExpired',
  'AuthenticationNotAvailable',
  'InvalidFlowAction',
  'DocumentChanged',
  'DocumentBusy',
  'DocumentTypeNotSupported',
  'TimestampNotAvailable',
  'UploadNotFound',
] as const

export const signElectronicallyByKey = {
  method: 'POST',
  path: '/api/documents/keys/{key}/electronic-signature',
  summary: 'Signs without a certificate of one’s own, with the code sent to the participant.',
  tags,
  body: Type.Object({ ticket: Ticket, ...electronicFields }, { $id: 'PublicElectronicSignatureRequest' }),
  status: 200,
  access: 'anonymous',
  counted: true,
  refusals: [...byKey, ...electronicRefusals],
} as const

export const signElectronically = {
  method: 'POST',
  path: '/api/documents/{id}/electronic-signature',
  summary: 'Signs electronically as the signed-in user.',
  tags,
  body: Type.Object({ flowActionId: maybe(Id), ...electronicFields }, { $id: 'ElectronicSignatureRequest' }),
  status: 200,
  access: 'documents.sign',
  refusals: ['DocumentNotFound', 'ParticipantNotFound', ...electronicRefusals],
} as const

export const sendAuthenticationCode = {
  method: 'POST',
  path: '/api/documents/keys/{key}/authentication-code',
  summary: 'Sends the participant a code by e-mail.',
  tags,
  body: Type.Object({ ticket: Ticket }),
  answer: Type.Object({ sentTo: Type.String({ description: 'The address, partly hidden.' }), expiresAt: Time }),
  access: 'anonymous',
  policy: 'AuthenticationCode',
  refusals: [...byKey, 'EmailNotAvailable', 'InvalidFlowAction', 'TooManyRequests'],
} as const

export const renewActionLink = {
  method: 'POST',
  path: '/api/documents/keys/{key}/action-link',
  summary: 'Sends the participant of a ticket, which may have expired, a new link by e-mail.',
  tags,
  body: Type.Object({ ticket: Ticket }),
  answer: Type.Object({ sentTo: Type.String({ description: 'The address, partly hidden.' }) }),
  access: 'anonymous',
  policy: 'AuthenticationCode',
  refusals: [...byKey, 'EmailNotAvailable', 'InvalidFlowAction', 'TooManyRequests'],
} as const

export const sendSmsCode = {
  method: 'POST',
  path: '/api/documents/sms-authentication-code',
  summary: 'Sends a code by text message; this instance has no way to.',
  tags,
  body: Type.Object({ flowActionId: Id, resend: maybe(Flag) }),
  status: 200,
  access: 'anonymous',
  policy: 'AuthenticationCode',
  refusals: ['AuthenticationNotAvailable'],
} as const

const EmailCode = maybe(
  Type.String({
    maxLength: 20,
    description:
      'The code that was sent to the participant. Without it, the act is recorded as done by the organization, which needs a ticket from action-url.',
  }),
)

export const approveByKey = {
  method: 'POST',
  path: '/api/documents/keys/{key}/approval',
  summary: 'Approves as the participant the ticket is for.',
  tags,
  body: Type.Object({
    ticket: Ticket,
    emailCode: EmailCode,
    evidences: maybe(Type.Object({ geolocation: maybe(Type.Unknown()) })),
  }),
  status: 200,
  access: 'anonymous',
  counted: true,
  refusals: [...byKey, 'InvalidFlowAction', 'AuthenticationCodeInvalidOrExpired'],
} as const

export const refuseByKey = {
  method: 'POST',
  path: '/api/documents/keys/{key}/refusal',
  summary: 'Refuses as the participant the ticket is for.',
  tags,
  body: Type.Object({
    ticket: Ticket,
    reason: cleanedLines(4000, 1),
    emailCode: EmailCode,
  }),
  status: 200,
  access: 'anonymous',
  counted: true,
  refusals: [...byKey, 'InvalidFlowAction', 'AuthenticationCodeInvalidOrExpired'],
} as const

/** The data of a participant's page. */
export const readAction = {
  method: 'GET',
  path: '/api/documents/keys/{key}/action',
  summary: 'The document and what the participant the ticket is for has to do.',
  tags,
  query: Type.Object({ ticket: Ticket }),
  answer: Type.Object(
    {
      document: Type.Object({
        id: Id,
        name: Text,
        key: Text,
        status: Type.Enum([...documentStatuses]),
        mimeType: Text,
        description: orNull(Text),
        createdBy: Text,
        organization: orNull(Text),
        expirationDate: orNull(Time),
      }),
      action: Type.Object({
        id: Id,
        type: Type.Enum([...actionTypes]),
        status: Text,
        title: orNull(Text),
        participant: Type.Object({ name: Text, identifier: orNull(Text), email: orNull(Text) }),
        isActing: Type.Boolean({ description: 'Whether the participant can act now.' }),
        allowElectronicSignature: Type.Boolean({
          description: 'Whether the action allows it and it can be done here.',
        }),
        unavailableAuthentications: Type.Array(Text, {
          description: 'What the action asks for and this instance has no means for, as in evidences.',
        }),
        allowCertificate: Type.Boolean({ description: 'Whether a certificate of the participant is taken.' }),
        allowCloudCertificate: Flag,
        allowToken: Type.Boolean({ description: 'Whether a token at a computer with the agent can sign.' }),
        requiresEmailCode: Flag,
        refusalRequiresEmailCode: Flag,
        ticketExpirationDate: orNull(Time),
        canPlaceMark: Flag,
        marks: Type.Array(Mark),
        requiredCertificateTypeToSign: orNull(Text),
        requireCompanyCertificate: Flag,
        requiredCompanyIdentifier: orNull(Text),
        language: Text,
      }),
      participants: Type.Array(Type.Object({ name: Text, step: Type.Integer(), type: Text, status: Text })),
      attachments: Type.Array(Type.Object({ id: Id, displayName: Text, contentType: Text, location: Text })),
      contentLocation: Type.String({ description: 'Where the file to read is, relative to the base URL.' }),
      signedContentLocation: orNull(Text),
    },
    { $id: 'ParticipantAction' },
  ),
  access: 'anonymous',
  refusals: byKey,
} as const

export const readSignatures = {
  method: 'GET',
  path: '/api/documents/{id}/signatures-details',
  summary: 'Who signed a document, each signature judged.',
  tags,
  answer: DocumentSignaturesInfo,
  access: 'documents.read',
  refusals: ['DocumentNotFound'],
} as const

export const readSignaturesByKey = {
  method: 'GET',
  path: '/api/documents/keys/{key}/signatures',
  summary: 'The same for everybody who has the verification code.',
  tags,
  answer: Type.Object({
    ...DocumentSignaturesInfo.properties,
    contentLocation: orNull(
      Type.String({
        description: 'Where the concluded document is, relative to the base URL, if its organization makes it public.',
      }),
    ),
  }),
  access: 'anonymous',
  policy: 'KeyLookup',
  refusals: ['DocumentInvalidKey'],
} as const

export const validateFile = {
  method: 'POST',
  path: '/api/validation',
  summary: 'Judges the signatures of any file, for everybody; the file is not kept.',
  description: 'A form with one file.',
  tags,
  consumes: ['multipart/form-data'],
  streamed: true,
  answer: Type.Object({
    sha256: Type.String({ description: 'Of the file, hex.' }),
    signers: Type.Array(SignerInfo),
  }),
  access: 'anonymous',
  policy: 'Validation',
  refusals: ['UploadEmpty', 'UploadTooLarge', 'DocumentTypeNotSupported', 'ServiceBusy', 'RouteNotFound'],
} as const

export const validateSignatures = {
  method: 'POST',
  path: '/api/documents/validate-signatures',
  summary: 'Judges the signatures of any uploaded file.',
  tags,
  body: Type.Object({
    fileId: Id,
    mimeType: Type.String({ maxLength: 127 }),
    signatureType: maybe(Type.Enum([...signatureTypes])),
    securityContextId: maybe(Id),
  }),
  answer: Type.Array(SignerInfo),
  access: 'signatures.validate',
  refusals: ['UploadNotFound', 'DocumentTypeNotSupported', 'SecurityContextNotFound'],
} as const
