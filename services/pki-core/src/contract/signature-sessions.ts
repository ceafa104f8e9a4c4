// Sessions in which a person signs on a page of this service (pki-core facts 4.1).
import Type, { type Static } from 'typebox'
import { always, Flag, maybe, orNull, subscriptionHeader, Text, Time } from './common.ts'
import { documentSummaryFields, GivenMetadata, signatureTypes } from './documents.ts'
import { FileReference, INLINE_BODY_BYTES } from './files.ts'
import { CertificateModel, type CertificateView } from './models.ts'
import { cmsSignatureOptions, pdfSignatureOptions } from './signatures.ts'

const tags = ['Signature sessions']

/** Documents of one session. */
export const MOST_SESSION_DOCUMENTS = 100

export const sessionStatuses = [
  'Pending',
  'Processing',
  'Completed',
  'UserCancelled',
  'Expired',
  'ProcessingError',
] as const

export const sessionDocumentStatuses = ['PendingSignature', 'Processing', 'Completed', 'ProcessingError'] as const

const SessionDocumentData = Type.Object(
  {
    id: maybe(
      Type.String({
        pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
        description: 'Of the document that will be made, where the application wants to choose it.',
      }),
    ),
    file: FileReference,
    metadata: maybe(GivenMetadata),
    documentKey: maybe(Type.String({ maxLength: 64 })),
    signatureType: maybe(Type.Enum([...signatureTypes], { description: 'Default: by the type of the file.' })),
    pdfSignatureOptions,
    cmsSignatureOptions,
  },
  { $id: 'SignatureSessionDocumentData' },
)

/** What documents that cannot be signed are refused with, whoever brings them. */
export const documentRefusals = [
  'PdfAConversionNotAvailable',
  'InvalidVisualRepresentation',
  'PadesPositionNotFilled',
  'FontSizeZero',
  'InvalidPage',
  'InvalidPdf',
  'ProtectedPdfError',
  'InvalidXml',
  'InvalidCades',
  'MissingDataHash',
  'FileTooLarge',
] as const

export const createSignatureSession = {
  method: 'POST',
  path: '/api/signature-sessions',
  operationId: 'createSignatureSession',
  summary: 'Begins a session: the person is sent to redirectUrl, signs there and returns to returnUrl.',
  tags,
  headers: subscriptionHeader,
  body: Type.Object(
    {
      returnUrl: maybe(
        Type.String({ maxLength: 2000, description: 'Absolute. Without it the page closes itself where it may.' }),
      ),
      securityContextId: maybe(Type.String({ maxLength: 64 })),
      callbackArgument: maybe(
        Type.String({ maxLength: 10_000, description: 'Kept encrypted, and returned with the session.' }),
      ),
      enableBackgroundProcessing: maybe(
        Type.Boolean({ description: 'Whether the person returns before the documents are ready.' }),
      ),
      disableDownloads: maybe(Type.Boolean({ description: 'Whether the page offers no signed documents.' })),
      documentMetadata: maybe(GivenMetadata),
      documents: maybe(
        Type.Array(SessionDocumentData, {
          maxItems: MOST_SESSION_DOCUMENTS,
          description: 'Without any the person uploads documents.',
        }),
      ),
      certificateRequirements: maybe(
        Type.Array(
          Type.Object(
            { type: Type.Enum(['CryptoDevice', 'Cpf']), argument: maybe(Type.String({ maxLength: 100 })) },
            { $id: 'CertificateRequirementModel' },
          ),
          { maxItems: 10, description: 'All must hold.' },
        ),
      ),
      pdfSignatureOptions,
      cmsSignatureOptions,
    },
    { $id: 'CreateSignatureSessionRequest' },
  ),
  bodyLimitBytes: INLINE_BODY_BYTES,
  answer: Type.Object({ sessionId: Text, redirectUrl: Text }, { $id: 'CreateSignatureSessionResponse' }),
  access: 'sessions.run',
  refusals: [
    ...always,
    'SecurityContextNotFound',
    'InvalidToken',
    'FileDownloadFailed',
    'DocumentKeyNotFound',
    'DocumentKeyAlreadyUsed',
    ...documentRefusals,
  ],
} as const

export type CreateSessionRequest = Static<typeof createSignatureSession.body>
export type SessionDocumentRequest = Static<typeof SessionDocumentData>

const SignatureSessionModel = Type.Object(
  {
    id: Text,
    status: Type.Enum([...sessionStatuses]),
    processingErrorCode: orNull(Text),
    callbackArgument: orNull(Text),
    signerCertificate: orNull(CertificateModel),
    documents: Type.Array(
      Type.Object(
        {
          ...documentSummaryFields,
          status: Type.Enum([...sessionDocumentStatuses]),
          dateSigned: orNull(Time),
        },
        { $id: 'SignatureSessionDocumentSummary' },
      ),
    ),
  },
  { $id: 'SignatureSessionModel' },
)

export type SessionView = Omit<Static<typeof SignatureSessionModel>, 'signerCertificate'> & {
  readonly signerCertificate: CertificateView | null
}

const found = [...always, 'SignatureSessionNotFound'] as const

export const readSignatureSession = {
  method: 'GET',
  path: '/api/signature-sessions/{id}',
  operationId: 'readSignatureSession',
  summary: 'A session of the application, with its documents.',
  tags,
  headers: subscriptionHeader,
  answer: SignatureSessionModel,
  access: 'sessions.read',
  refusals: found,
} as const

export const awaitSignatureSession = {
  method: 'GET',
  path: '/api/signature-sessions/{id}/when-completed',
  operationId: 'awaitSignatureSession',
  summary: 'Answers when the session has ended, or after some 15 seconds; refused while nobody has signed.',
  tags,
  headers: subscriptionHeader,
  answer: Type.Object(
    { completed: Flag, progress: Type.Number({ description: 'From 0 to 100.' }) },
    { $id: 'SignatureSessionWhenCompletedResponse' },
  ),
  access: 'sessions.read',
  // Who waits does no work.
  counted: false,
  refusals: [...found, 'BadSignatureSessionOperation'],
} as const

export const deleteSignatureSession = {
  method: 'DELETE',
  path: '/api/signature-sessions/{id}',
  operationId: 'deleteSignatureSession',
  summary: 'Deletes a session; nobody can sign in it any more. Documents that were signed stay.',
  tags,
  headers: subscriptionHeader,
  status: 200,
  access: 'sessions.run',
  refusals: [...found, 'BackgroundProcessing'],
} as const
