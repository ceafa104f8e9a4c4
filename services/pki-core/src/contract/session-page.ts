// What the page of a signature session does, under the token of its address (spec 1 C; the design is ours).
import Type, { type Static } from 'typebox'
import { bytesOf, Flag, orNull, Text, Time } from './common.ts'
import { signatureTypes } from './documents.ts'
import {
  CertificateModel,
  DigestAlgorithmAndValueModel,
  SignatureParametersModel,
  type ValidationResults,
  ValidationResultsModel,
} from './models.ts'
import {
  documentRefusals,
  MOST_SESSION_DOCUMENTS,
  sessionDocumentStatuses,
  sessionStatuses,
} from './signature-sessions.ts'

const tags = ['Page of a signature session']

/** What every call of the page may be refused with. */
export const pageRefusals = [
  'InvalidRequest',
  'SignatureSessionTokenRequired',
  'BadSignatureSessionToken',
  'ExpiredSignatureSessionToken',
  'TooManyRequests',
  'ServerBusy',
] as const

export const ofPage = {
  tags,
  headers: Type.Object({ 'X-Signature-Session-Token': Type.Optional(Text) }),
  access: 'session-page',
  policy: 'SessionPages',
} as const

const PageDocument = Type.Object(
  {
    id: Text,
    name: Text,
    mimeType: Text,
    length: Type.Integer(),
    sha256: Type.String({ description: 'Of the bytes that are shown and signed, hexadecimal.' }),
    signatureType: Type.Enum([...signatureTypes]),
    status: Type.Enum([...sessionDocumentStatuses]),
    dateSigned: orNull(Time),
    isUploaded: Type.Boolean({ description: 'Whether the person brought it, and may remove it.' }),
    isSignedAvailable: Flag,
  },
  { $id: 'SessionPageDocument' },
)

const SessionPage = Type.Object(
  {
    id: Text,
    status: Type.Enum([...sessionStatuses]),
    processingErrorCode: orNull(Text),
    application: Text,
    organization: Text,
    returnUrl: orNull(Text),
    acceptsUploads: Flag,
    isBackground: Flag,
    allowCloudCertificate: Type.Boolean({ description: 'Whether cloud certificates are offered here.' }),
    allowToken: Type.Boolean({ description: 'Whether tokens at computers are offered here.' }),
    certificateRequirements: Type.Array(
      Type.Object(
        {
          type: Type.Enum(['CryptoDevice', 'Cpf']),
          argument: orNull(Type.String({ description: 'Partly hidden.' })),
        },
        { $id: 'SessionPageRequirement' },
      ),
    ),
    expiresAt: Time,
    documents: Type.Array(PageDocument),
  },
  { $id: 'SessionPage' },
)

export type SessionPageView = Static<typeof SessionPage>

export const readSessionPage = {
  method: 'GET',
  path: '/api/signature-session',
  operationId: 'readSessionPage',
  summary: 'The session of the token, for its page.',
  ...ofPage,
  answer: SessionPage,
  refusals: pageRefusals,
} as const

/** What changes nothing once somebody has signed is refused with. */
export const pendingRefusals = ['BadSignatureSessionOperation', 'BackgroundProcessing'] as const

export const uploadSessionDocument = {
  method: 'POST',
  path: '/api/signature-session/documents',
  operationId: 'uploadSessionDocument',
  summary: 'Adds a document of the person, where the session has none of its own.',
  ...ofPage,
  query: Type.Object({ name: Type.String({ minLength: 1, maxLength: 1024 }) }),
  consumes: ['*/*'],
  streamed: true,
  body: Type.String({ format: 'binary' }),
  answer: SessionPage,
  refusals: [
    ...pageRefusals,
    ...pendingRefusals,
    'UploadEmpty',
    'FileRejected',
    'FileValidationUnavailable',
    ...documentRefusals,
  ],
} as const

export const removeSessionDocument = {
  method: 'DELETE',
  path: '/api/signature-session/documents/{id}',
  operationId: 'removeSessionDocument',
  summary: 'Removes a document that the person added.',
  ...ofPage,
  status: 200,
  answer: SessionPage,
  refusals: [...pageRefusals, ...pendingRefusals, 'DocumentNotFound'],
} as const

export const readSessionDocument = {
  method: 'GET',
  path: '/api/signature-session/documents/{id}/content',
  operationId: 'readSessionDocument',
  summary: 'The bytes that are signed, exactly.',
  ...ofPage,
  produces: 'application/octet-stream',
  refusals: [...pageRefusals, 'DocumentNotFound'],
} as const

export const readSignedSessionDocument = {
  method: 'GET',
  path: '/api/signature-session/documents/{id}/signed',
  operationId: 'readSignedSessionDocument',
  summary: 'The signed document, unless the session gives out none.',
  ...ofPage,
  produces: 'application/octet-stream',
  refusals: [...pageRefusals, ...pendingRefusals, 'DocumentNotFound'],
} as const

export const setSessionCertificate = {
  method: 'POST',
  path: '/api/signature-session/certificate',
  operationId: 'setSessionCertificate',
  summary: 'Prepares the signatures of all documents with a certificate; one that does not do is an answer.',
  ...ofPage,
  body: Type.Object({ certificate: bytesOf(64 * 1024, 'DER.') }, { $id: 'SetSessionCertificateRequest' }),
  answer: Type.Object(
    {
      success: Flag,
      failure: orNull(Type.Enum(['CertificateValidationFailed', 'CertificateRequirementNotMet'])),
      unmetRequirement: orNull(Type.Enum(['CryptoDevice', 'Cpf'])),
      validationResults: ValidationResultsModel,
      certificate: CertificateModel,
      state: orNull(Type.String({ description: 'Names what was prepared, for the signatures.' })),
      documents: Type.Array(
        Type.Object(
          { id: Text, toSign: SignatureParametersModel, toSignHash: DigestAlgorithmAndValueModel },
          { $id: 'SessionDocumentToSign' },
        ),
      ),
    },
    { $id: 'SetSessionCertificateResponse' },
  ),
  refusals: [
    ...pageRefusals,
    ...pendingRefusals,
    'SecurityContextNotFound',
    'PKCertificateMalformed',
    'UnsupportedSignatureAlgorithm',
    ...documentRefusals,
  ],
} as const

export type CertificateAnswer = Omit<Static<typeof setSessionCertificate.answer>, 'validationResults'> & {
  readonly validationResults: ValidationResults
}

export const submitSessionSignatures = {
  method: 'POST',
  path: '/api/signature-session/signatures',
  operationId: 'submitSessionSignatures',
  summary: 'Ends the session with the signatures of all documents, at once or in the background.',
  ...ofPage,
  body: Type.Object(
    {
      state: Type.String({ minLength: 1, maxLength: 100 }),
      signatures: Type.Array(
        Type.Object(
          { documentId: Type.String({ maxLength: 64 }), signature: bytesOf(2048, 'Over what was to be signed.') },
          { $id: 'SessionSignature' },
        ),
        { minItems: 1, maxItems: MOST_SESSION_DOCUMENTS },
      ),
    },
    { $id: 'SubmitSessionSignaturesRequest' },
  ),
  answer: SessionPage,
  refusals: [
    ...pageRefusals,
    ...pendingRefusals,
    'SecurityContextNotFound',
    'ValidationError',
    'DocumentKeyAlreadyUsed',
  ],
} as const

export type SubmitRequest = Static<typeof submitSessionSignatures.body>

export const cancelSession = {
  method: 'POST',
  path: '/api/signature-session/cancellation',
  operationId: 'cancelSession',
  summary: 'The person signs nothing; the session ends.',
  ...ofPage,
  answer: SessionPage,
  refusals: [...pageRefusals, ...pendingRefusals],
} as const
