// Signed documents, their keys and what is known of them (pki-core facts 4.2).
import Type, { type Static } from 'typebox'
import { always, Flag, orNull, subscriptionHeader, Text, Time } from './common.ts'
import { FileReferenceModel } from './files.ts'
import { CertificateSummary } from './models.ts'

const tags = ['Documents']
const keyTags = ['Document keys']

export const signatureTypes = ['Pdf', 'Cms', 'Xml'] as const
export type SignatureType = (typeof signatureTypes)[number]

/** Metadata of a request; the rules for names and values are checked with them. */
export const GivenMetadata = Type.Record(Type.String(), orNull(Type.Array(Type.String())))

const Metadata = Type.Record(Type.String(), Type.Array(Text))

const DocumentFileModel = Type.Object(FileReferenceModel.properties, { $id: 'DocumentFileModel' })

/** What every model of a document has. */
export const documentSummaryFields = {
  id: Text,
  key: orNull(Text),
  formattedKey: orNull(Text),
  originalFile: orNull(DocumentFileModel),
  markedFile: Type.Null(),
  signedFile: orNull(DocumentFileModel),
  signatureType: Type.Enum([...signatureTypes]),
  availableUntil: orNull(Time),
}

export const DocumentModel = Type.Object(
  {
    ...documentSummaryFields,
    signers: Type.Array(Type.Object({ certificate: CertificateSummary, date: Time }, { $id: 'SignerSummary' })),
    metadata: Metadata,
  },
  { $id: 'DocumentModel' },
)

export type DocumentView = Static<typeof DocumentModel>

export const readDocument = {
  method: 'GET',
  path: '/api/documents/{id}',
  operationId: 'readDocument',
  summary: 'A signed document, with links to its files.',
  tags,
  headers: subscriptionHeader,
  answer: DocumentModel,
  access: 'documents.read',
  refusals: [...always, 'DocumentNotFound', 'BackgroundProcessing'],
} as const

export const findDocumentByKey = {
  method: 'GET',
  path: '/api/documents/keys/{key}',
  operationId: 'findDocumentByKey',
  summary: 'The document of a key; an unknown key is an answer, not an error.',
  tags,
  headers: subscriptionHeader,
  answer: Type.Object({ found: Flag, document: orNull(DocumentModel) }, { $id: 'DocumentQueryResponse' }),
  access: 'documents.read',
  refusals: always,
} as const

export const setDocumentMetadata = {
  method: 'PUT',
  path: '/api/documents/{id}/metadata',
  operationId: 'setDocumentMetadata',
  summary: 'Replaces the metadata of a document.',
  tags,
  headers: subscriptionHeader,
  body: GivenMetadata,
  answer: DocumentModel,
  access: 'documents.write',
  refusals: [...always, 'DocumentNotFound'],
} as const

export const deleteDocument = {
  method: 'DELETE',
  path: '/api/documents/{id}',
  operationId: 'deleteDocument',
  summary: 'Deletes a document and its files; its key stays used.',
  tags,
  headers: subscriptionHeader,
  status: 200,
  access: 'documents.delete',
  refusals: [...always, 'DocumentNotFound'],
} as const

const DocumentKeyModel = Type.Object({ key: Text, formattedKey: Text }, { $id: 'DocumentKeyModel' })

const provisionalMetadata = Type.Optional(orNull(GivenMetadata))

export const allocateDocumentKey = {
  method: 'POST',
  path: '/api/document-keys',
  operationId: 'allocateDocumentKey',
  summary: 'A key for a document that will be signed later.',
  tags: keyTags,
  headers: subscriptionHeader,
  body: Type.Object({ provisionalMetadata }, { $id: 'AllocateDocumentKeyRequest' }),
  answer: DocumentKeyModel,
  access: 'documents.write',
  refusals: always,
} as const

/** Keys of one call (pki-core facts 4.2). */
const MOST_KEYS = 100

export const allocateDocumentKeys = {
  method: 'POST',
  path: '/api/document-keys/batch',
  operationId: 'allocateDocumentKeys',
  summary: 'Several keys with the same provisional metadata.',
  tags: keyTags,
  headers: subscriptionHeader,
  body: Type.Object(
    { count: Type.Integer({ minimum: 1, maximum: MOST_KEYS }), provisionalMetadata },
    { $id: 'AllocateDocumentKeyBatchRequest' },
  ),
  answer: Type.Array(DocumentKeyModel),
  access: 'documents.write',
  refusals: always,
} as const

export const readDocumentKey = {
  method: 'GET',
  path: '/api/document-keys/{key}',
  operationId: 'readDocumentKey',
  summary: 'A key: what it will be used for, or the document it was used for.',
  tags: keyTags,
  headers: subscriptionHeader,
  answer: Type.Object(
    {
      found: Flag,
      formattedKey: orNull(Text),
      hasDocument: Flag,
      provisionalMetadata: orNull(Metadata),
      document: orNull(DocumentModel),
    },
    { $id: 'DocumentKeyQueryResponse' },
  ),
  access: 'documents.read',
  refusals: always,
} as const

export const listUnusedDocumentKeys = {
  method: 'GET',
  path: '/api/document-keys/unused',
  operationId: 'listUnusedDocumentKeys',
  summary: 'Keys without a document, the newest 1000; with a name, those whose provisional metadata have it.',
  tags: keyTags,
  headers: subscriptionHeader,
  query: Type.Object({
    metadataName: Type.Optional(Type.String({ maxLength: 50 })),
    metadataValue: Type.Optional(Type.String({ maxLength: 500 })),
  }),
  answer: Type.Array(Type.Object({ key: Text, formattedKey: Text }, { $id: 'DocumentKeySummary' })),
  access: 'documents.read',
  refusals: always,
} as const
