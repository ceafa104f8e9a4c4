// Signing under a session, and the signed documents (spec 1 A).
import { orNull, Text } from '@chancela/admin-console/contract'
import Type from 'typebox'
import { SessionId, Time } from './common.ts'

const tags = ['Signatures']

/** Refusals caused by the session, independent of the document. */
const sessionRefusals = [
  'SESSION_EXPIRED',
  'CERT_NOT_FOUND',
  'CERT_NOT_ACTIVE',
  'CERT_DATA_UNAVAILABLE',
  'CERT_INCOMPLETE_IDENTITY',
  'WORKSTATION_OFFLINE',
  'INVALID_DOCUMENT',
] as const

/** Refusals caused by one document, or by signing it. */
const documentRefusals = [
  'DOCUMENT_TOO_LARGE',
  'UNSUPPORTED_DOCUMENT',
  'SIGNER_REJECTED',
  'SIGN_TIMEOUT',
  'SIGNER_ERROR',
] as const

const SignDocumentJson = Type.Object(
  {
    sessionId: SessionId,
    document: Type.String({ contentEncoding: 'base64', description: 'The PDF, in base64.' }),
    fileName: Type.String({ maxLength: 260 }),
  },
  { $id: 'SignDocumentRequest' },
)

const Binary = Type.String({ format: 'binary' })

const SignDocumentForm = Type.Object({ sessionId: SessionId, document: Binary }, { $id: 'SignDocumentForm' })

export const signDocument = {
  method: 'POST',
  path: '/v1/signatures',
  operationId: 'signDocument',
  summary: 'Signs a PDF under a session.',
  description:
    'Accepted, not signed: once the document has reached the signature service the answer is 202 with its id, and the outcome is read where the document is fetched.',
  tags,
  consumes: ['application/json', 'multipart/form-data'],
  bodies: { 'application/json': SignDocumentJson, 'multipart/form-data': SignDocumentForm },
  streamed: true,
  status: 202,
  answer: Type.Object(
    { signatureId: Text, status: Type.Enum(['PROCESSING']), acceptedAt: Time },
    { $id: 'SignatureAcceptance' },
  ),
  refusals: [...sessionRefusals, ...documentRefusals],
} as const

export const signBatch = {
  method: 'POST',
  path: '/v1/signatures/batch',
  operationId: 'signBatch',
  summary: 'Signs several PDFs under a session; counts as one call.',
  description: 'Documents are independent of one another. Read the results, not the status code.',
  tags,
  consumes: ['multipart/form-data'],
  bodies: {
    'multipart/form-data': Type.Object(
      { sessionId: SessionId, files: Type.Array(Binary, { description: 'One part per document.' }) },
      { $id: 'SignBatchForm' },
    ),
  },
  streamed: true,
  status: 202,
  answer: Type.Object(
    {
      results: Type.Array(
        Type.Object({
          fileName: Text,
          signatureId: orNull(Text),
          status: Type.Enum(['PROCESSING', 'ERROR']),
          error: orNull(
            Type.Object({
              code: Text,
              message: Text,
              details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
            }),
          ),
        }),
      ),
      acceptedAt: Time,
    },
    { $id: 'BatchResult' },
  ),
  refusals: [...sessionRefusals, 'DOCUMENT_TOO_LARGE'],
} as const

export const readDocument = {
  method: 'GET',
  path: '/v1/signatures/{signatureId}/document',
  operationId: 'readDocument',
  summary: 'The signed PDF.',
  tags,
  produces: 'application/pdf',
  refusals: ['DOCUMENT_NOT_FOUND', 'DOCUMENT_NOT_READY', 'DOCUMENT_UNAVAILABLE', 'SIGNER_ERROR'],
} as const
