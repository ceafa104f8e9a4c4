// What clients of the earlier generation ask for besides signatures (pki-core facts 4).
import Type, { type Static } from 'typebox'
import { always, Bytes, bytesOf, maybe, orNull, subscriptionHeader } from './common.ts'
import { FileReference, FileReferenceModel, INLINE_BODY_BYTES } from './files.ts'
import { CertificateModel, ValidationResultsModel } from './models.ts'
import { CadesTimestampModel } from './signature-inspection.ts'
import { DigestOfRequest } from './signatures.ts'
import { Position, VisualRepresentation } from './visual-representation.ts'

const presetTags = ['Positions']
const pageNumber = Type.Optional(Type.Integer({ minimum: -10_000, maximum: 10_000, description: 'Default -1.' }))

export const readFootnote = {
  method: 'GET',
  path: '/Api/PadesVisualPositioningPresets/Footnote',
  operationId: 'readFootnote',
  summary: 'Signatures in rows at the foot of a page.',
  tags: presetTags,
  query: Type.Object({ pageNumber, rows: Type.Optional(Type.Integer({ minimum: 1, maximum: 8 })) }),
  answer: Position,
  access: 'documents.read',
  refusals: always,
} as const

export const readFootnoteBottomUp = {
  method: 'GET',
  path: '/Api/PadesVisualPositioningPresets/FootnoteBottomUp',
  operationId: 'readFootnoteBottomUp',
  summary: 'Signatures in rows from the foot of a page upwards, as many as there are.',
  tags: presetTags,
  query: Type.Object({ pageNumber }),
  answer: Position,
  access: 'documents.read',
  refusals: always,
} as const

export const readNewPage = {
  method: 'GET',
  path: '/Api/PadesVisualPositioningPresets/NewPage',
  operationId: 'readNewPage',
  summary: 'Signatures on a page that is added for them.',
  tags: presetTags,
  answer: Position,
  access: 'documents.read',
  refusals: always,
} as const

export const openCertificate = {
  method: 'POST',
  path: '/Api/Certificates/Open',
  operationId: 'openCertificate',
  summary: 'A certificate, validated where it is asked for.',
  tags: ['Certificates'],
  headers: subscriptionHeader,
  body: Type.Object(
    {
      certificate: bytesOf(64 * 1024, 'DER.'),
      securityContextId: maybe(Type.String({ maxLength: 64, description: 'Required to validate.' })),
      validate: maybe(Type.Boolean({ description: 'Default false.' })),
      ignoreRevocationStatusUnknown: maybe(Type.Boolean()),
    },
    { $id: 'OpenCertificateRequest' },
  ),
  answer: Type.Object(
    { certificate: CertificateModel, validationResults: orNull(ValidationResultsModel) },
    { $id: 'OpenCertificateResponse' },
  ),
  access: 'documents.read',
  refusals: [...always, 'SecurityContextRequired', 'PKCertificateMalformed'],
} as const

const issue = {
  method: 'POST',
  tags: ['Timestamps'],
  headers: subscriptionHeader,
  body: DigestOfRequest,
  answer: Type.Object({ encodedValue: Bytes, info: CadesTimestampModel }, { $id: 'TimestampIssueResponse' }),
  access: 'signatures.run',
  refusals: [...always, 'TimestampingUnavailable', 'UnsupportedDigestAlgorithm'],
} as const

export const issueTimestamp = {
  ...issue,
  path: '/api/tsp',
  operationId: 'issueTimestamp',
  summary: 'A timestamp over a digest.',
} as const

export const issueTierTimestamp = {
  ...issue,
  path: '/api/tsp/{tier}',
  operationId: 'issueTierTimestamp',
  summary: 'The same of a tier; this service has one, default.',
} as const

export const issuePlanTimestamp = {
  ...issue,
  path: '/Api/TimestampPlans/{plan}/Issue',
  operationId: 'issuePlanTimestamp',
  summary: 'The same of a plan; this service has one, default.',
} as const

/** A request has some 60 bytes. */
const MOST_QUERY_BYTES = 16 * 1024

const relay = {
  method: 'POST',
  tags: ['Timestamps'],
  headers: subscriptionHeader,
  consumes: ['application/timestamp-query', 'application/octet-stream'],
  bodyLimitBytes: MOST_QUERY_BYTES,
  produces: 'application/timestamp-reply',
  access: 'signatures.run',
  refusals: [...always, 'TimestampingUnavailable', 'UnsupportedMediaType'],
} as const

export const relayTimestamp = {
  ...relay,
  path: '/tsp',
  operationId: 'relayTimestamp',
  summary: 'RFC 3161: the timestamp authority, with a key of this service.',
} as const

export const relayTierTimestamp = {
  ...relay,
  path: '/tsp/{tier}',
  operationId: 'relayTierTimestamp',
  summary: 'The same of a tier; this service has one, default.',
} as const

export const stampPdf = {
  method: 'POST',
  path: '/api/pdf/stamp',
  operationId: 'stampPdf',
  summary: 'A PDF with a timestamp over all of it.',
  tags: ['Timestamps'],
  headers: subscriptionHeader,
  body: Type.Object(
    {
      file: FileReference,
      timestampTier: maybe(Type.String({ maxLength: 64, description: 'Only default.' })),
      customSignatureFieldName: maybe(Type.String({ minLength: 1, maxLength: 255 })),
      reason: maybe(Type.String({ maxLength: 1000 })),
      forceBlobResult: maybe(Type.Boolean({ description: 'Whether the file comes as an upload, however small.' })),
      visualRepresentation: maybe(VisualRepresentation),
    },
    { $id: 'StampPdfRequest' },
  ),
  bodyLimitBytes: INLINE_BODY_BYTES,
  answer: Type.Object({ file: FileReferenceModel }, { $id: 'StampPdfResponse' }),
  access: 'signatures.run',
  refusals: [
    ...always,
    'TimestampingUnavailable',
    'InvalidToken',
    'FileDownloadFailed',
    'FileTooLarge',
    'InvalidPdf',
    'ProtectedPdfError',
    'InvalidPage',
    'InvalidVisualRepresentation',
    'PadesPositionNotFilled',
    'FontSizeZero',
  ],
} as const

export type StampRequest = Static<typeof stampPdf.body>

export type TimestampView = Static<typeof issue.answer>
