// Documents while they are signed, and the certificate that signs for an institution (credentials-platform facts 1.6, 3).
import Type, { type Static } from 'typebox'
import { always, body, Count, Messages, orNull, subscriptionHeader, Text, Time } from './common.ts'
import { SigningPlaces } from './setup.ts'

/** The six kinds of official XML. */
const xmlDocumentKinds = [
  'academicDocumentation',
  'degree',
  'academicTranscript',
  'curriculum',
  'cancellationList',
  'inspectionFile',
] as const
export type XmlDocumentKind = (typeof xmlDocumentKinds)[number]

/** `Failed`: somebody refused to sign, or it was lost where it was signed. `Withdrawn`: its item was canceled. */
const xmlDocumentStatuses = ['Open', 'Closed', 'Failed', 'Withdrawn'] as const
export type XmlDocumentStatus = (typeof xmlDocumentStatuses)[number]

/** `Taken`: what was signed there is kept here. `Withdrawn`: nobody needs it any more. */
const platformStatuses = ['Sending', 'Sent', 'Taken', 'Failed', 'Withdrawn'] as const
export type PlatformDocumentStatus = (typeof platformStatuses)[number]

const common = { tags: ['Signing'], headers: subscriptionHeader } as const

const Step = Type.Object(
  {
    name: Text,
    certificateKind: Type.Enum(['eCpf', 'eCnpj']),
    level: Text,
    state: Type.Enum(['open', 'done', 'waiting', 'unfinished'], {
      description: 'unfinished: signed, while timestamps or validation data are still being added.',
    }),
    signers: Type.Array(Type.String({ description: 'CPF or CNPJ of whoever signed.' })),
    missing: Type.Array(Type.String({ description: 'CPF of whoever has yet to sign, where they are known.' })),
  },
  { $id: 'SigningStepModel' },
)

const DocumentModel = Type.Object(
  {
    id: Text,
    ownerKind: Text,
    ownerId: Text,
    documentKind: Type.Enum([...xmlDocumentKinds]),
    status: Type.Enum([...xmlDocumentStatuses]),
    revision: Count,
    error: orNull(Type.String({ description: 'Why the document does not get on by itself.' })),
    errorMessages: Messages,
    steps: Type.Array(Step),
    next: Type.Array(Type.String({ description: 'Steps that can be signed now.' })),
    platform: orNull(
      Type.Object(
        {
          status: Type.Enum([...platformStatuses]),
          documentId: orNull(Text),
          documentUrl: orNull(Text),
          error: orNull(Type.String({ description: 'Why it does not get on there.' })),
          errorMessages: Messages,
        },
        { $id: 'PlatformDocumentModel', description: 'Of the last time it was sent to the document platform.' },
      ),
    ),
    creationDate: Time,
    updateDate: Time,
    closingDate: orNull(Time),
  },
  { $id: 'XmlDocumentModel' },
)

export type DocumentView = Static<typeof DocumentModel>

const notFound = [...always, 'document-not-found'] as const

export const listDocuments = {
  ...common,
  method: 'GET',
  path: '/api/documents',
  operationId: 'listDocuments',
  summary: 'The XML documents of an item, in the order they were made.',
  query: Type.Object({ ownerId: Type.String({ minLength: 1, maxLength: 64 }) }),
  answer: Type.Object({ items: Type.Array(DocumentModel) }),
  access: 'documents.read',
  refusals: always,
} as const

export const readDocument = {
  ...common,
  method: 'GET',
  path: '/api/documents/{id}',
  operationId: 'readDocument',
  summary: 'How far the signing of a document has come.',
  answer: DocumentModel,
  access: 'documents.read',
  refusals: notFound,
} as const

export const readDocumentContent = {
  ...common,
  method: 'GET',
  path: '/api/documents/{id}/content',
  operationId: 'readDocumentContent',
  summary: 'The XML as it is now, byte by byte.',
  produces: 'application/xml',
  access: 'documents.read',
  refusals: notFound,
} as const

const Base64 = Type.String({ minLength: 1, maxLength: 100_000, pattern: '^[A-Za-z0-9+/\\s]+={0,2}\\s*$' })

export const startSignature = {
  ...common,
  method: 'POST',
  path: '/api/documents/{id}/signatures',
  operationId: 'startDocumentSignature',
  summary: 'Begins a signature with a certificate whose key is elsewhere: answers what it has to sign.',
  body: body(
    {
      certificate: Base64,
      step: Type.Optional(Type.String({ maxLength: 60, description: 'Default: the one open for this certificate.' })),
    },
    'DocumentSignatureStart',
  ),
  answer: Type.Object(
    {
      token: Text,
      step: Text,
      toSignHash: Type.String({ description: 'Base64.' }),
      digestAlgorithm: Text,
      signatureAlgorithm: Text,
    },
    { $id: 'DocumentSignatureStarted' },
  ),
  access: 'documents.sign',
  refusals: [...notFound, 'invalid-data', 'certificate-refused', 'signing-refused', 'signing-unavailable'],
} as const

export const completeSignature = {
  ...common,
  method: 'POST',
  path: '/api/documents/{id}/signatures/completion',
  operationId: 'completeDocumentSignature',
  summary: 'Completes a signature that was begun; the last one closes the document.',
  body: body({ token: Type.String({ minLength: 1, maxLength: 20_000 }), signature: Base64 }, 'DocumentSignature'),
  answer: DocumentModel,
  access: 'documents.sign',
  refusals: [
    ...notFound,
    'certificate-refused',
    'signing-refused',
    'signing-unavailable',
    'signature-token-invalid',
    'signature-wrong',
    'changed-meanwhile',
  ],
} as const

export const reopenDocument = {
  ...common,
  method: 'POST',
  path: '/api/documents/{id}/reopening',
  operationId: 'reopenDocument',
  summary: 'Has a document whose signing failed signed after all: at the document platform, or here.',
  body: body({ signedAt: Type.Optional(SigningPlaces) }, 'DocumentReopening'),
  answer: DocumentModel,
  access: 'documents.issue',
  refusals: [...notFound, 'invalid-data', 'invalid-transition'],
} as const

const certificatePath = '/api/institutes/{id}/certificate'

const CertificateModel = Type.Object(
  { subject: Text, issuer: Text, serialNumber: Text, cnpj: Text, notBefore: Time, notAfter: Time, creationDate: Time },
  { $id: 'InstituteCertificateModel' },
)

export type CertificateView = Static<typeof CertificateModel>

export const putInstituteCertificate = {
  ...common,
  method: 'PUT',
  path: certificatePath,
  operationId: 'putInstituteCertificate',
  summary:
    'Stores the certificate that signs for the institution, with its key, sealed; open documents get on with it.',
  body: body(
    {
      content: Type.String({ minLength: 1, maxLength: 200_000, description: 'PKCS #12, Base64.' }),
      password: Type.String({ maxLength: 200 }),
    },
    'InstituteCertificate',
  ),
  answer: CertificateModel,
  access: 'institutes.manage',
  refusals: [...always, 'institute-not-found', 'invalid-data', 'certificate-refused'],
} as const

export const readInstituteCertificate = {
  ...common,
  method: 'GET',
  path: certificatePath,
  operationId: 'readInstituteCertificate',
  summary: 'The certificate that signs for the institution, without its key.',
  answer: CertificateModel,
  access: 'institutes.read',
  refusals: [...always, 'institute-not-found', 'certificate-not-found'],
} as const

export const deleteInstituteCertificate = {
  ...common,
  method: 'DELETE',
  path: certificatePath,
  operationId: 'deleteInstituteCertificate',
  summary: 'Forgets the certificate and its key; from now on people sign for the institution.',
  access: 'institutes.manage',
  refusals: [...always, 'institute-not-found', 'certificate-not-found'],
} as const
