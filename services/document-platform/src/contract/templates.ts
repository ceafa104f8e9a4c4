// Documents made of a PDF form and values, one or many at once (document-platform facts 1.3, 1.5).
import Type from 'typebox'
import {
  Count,
  cleanedLine,
  cleanedLines,
  Flag,
  Id,
  IdAndName,
  line,
  maybe,
  orNull,
  pageOf,
  paging,
  Text,
  Time,
} from './common.ts'
import { documentTypes, FileReference, FlowActionCreate, ObserverCreate } from './models.ts'

const tags = ['Templates']

const Template = Type.Object(
  {
    id: Id,
    name: Text,
    filename: Text,
    fields: Type.Array(Text, { description: 'Names of the fields of its form.' }),
    creationDate: Time,
    createdBy: IdAndName,
  },
  { $id: 'DocumentTemplate' },
)

export const listTemplates = {
  method: 'GET',
  path: '/api/document-templates',
  summary: 'Lists the templates of the organization.',
  tags,
  query: Type.Object(paging),
  answer: pageOf(Template),
  access: 'templates.read',
} as const

export const createTemplate = {
  method: 'POST',
  path: '/api/document-templates',
  summary: 'Keeps a PDF form, from which documents are made.',
  tags,
  body: Type.Object({ name: line(200, 1), file: FileReference }),
  answer: Template,
  access: 'templates.change',
  refusals: ['UploadNotFound', 'InvalidDocumentContent'],
} as const

export const readTemplate = {
  method: 'GET',
  path: '/api/document-templates/{id}',
  summary: 'A template.',
  tags,
  answer: Template,
  access: 'templates.read',
  refusals: ['DocumentTemplateNotFound'],
} as const

export const deleteTemplate = {
  method: 'DELETE',
  path: '/api/document-templates/{id}',
  summary: 'Deletes a template; documents made of it stay.',
  tags,
  status: 200,
  access: 'templates.change',
  refusals: ['DocumentTemplateNotFound'],
} as const

export const Generation = Type.Object(
  {
    id: Id,
    subscriptionId: Type.String({ description: 'The organization.' }),
    folderId: orNull(Id),
    agentId: Id,
    type: Text,
    status: Type.Enum(['Created', 'Processing', 'Completed', 'Canceled']),
    totalDocumentsCount: Count,
    initializedCount: Type.Integer({ description: 'Lines that were looked at.' }),
    completedCount: Type.Integer({ description: 'Documents that were made.' }),
    failedCount: Count,
    errors: Type.Array(Type.Object({ line: Count, code: Text, field: orNull(Text), reason: Text }), {
      description: 'Lines that made no document, the first thousand of them.',
    }),
    creationDate: Time,
    updateDate: Time,
  },
  { $id: 'DocumentGeneration' },
)

const UploadReference = Type.Object({ id: Id, name: maybe(cleanedLine(260)), contentType: maybe(Text) })

export const generateDocuments = {
  method: 'POST',
  path: '/api/documents/generation',
  summary: 'Makes a document for each line of a CSV file, in the background.',
  description:
    'The columns of the file fill the fields of the form that have their names; `{{column}}` in a text of the flow, the observers or the description stands for what the line says there.',
  tags,
  body: Type.Object(
    {
      dataFile: UploadReference,
      templateFile: maybe(UploadReference),
      templateId: maybe(Type.String({ maxLength: 64, description: 'Instead of templateFile: one that is kept.' })),
      flowActions: Type.Array(FlowActionCreate, { minItems: 1 }),
      observers: maybe(Type.Array(ObserverCreate, { maxItems: 100 })),
      folderId: maybe(Id),
      newFolderName: maybe(line(200)),
      organizationId: maybe(Id),
      description: maybe(cleanedLines(4000)),
      type: maybe(Type.Enum([...documentTypes])),
      notaryType: maybe(Type.String({ description: 'Refused: nothing is notarized here.' })),
      expirationDate: maybe(Type.String({ maxLength: 40 })),
      notifiedEmails: maybe(Type.Array(Type.String({ maxLength: 254 }), { maxItems: 100 })),
      disableNotifications: maybe(Flag),
      disablePendingActionNotifications: maybe(Flag),
    },
    { $id: 'GenerateDocumentRequest' },
  ),
  answer: Generation,
  access: 'documents.create',
  refusals: [
    'UploadNotFound',
    'FolderNotFound',
    'DocumentTemplateNotFound',
    'InvalidDocumentContent',
    'InvalidParticipantsFile',
    'InvalidFlowAction',
    'AuthenticationNotAvailable',
    'ExpirationInPast',
    'MaxDocumentsLimitReached',
  ],
} as const

export const readGeneration = {
  method: 'GET',
  path: '/api/documents/generation/{id}',
  summary: 'How far a generation is.',
  tags,
  answer: Generation,
  access: 'documents.create',
  refusals: ['GenerationNotFound'],
} as const

export const cancelGeneration = {
  method: 'POST',
  path: '/api/documents/generation/{id}/cancellation',
  summary: 'Ends a generation; documents that were made stay.',
  tags,
  answer: Generation,
  access: 'documents.create',
  refusals: ['GenerationNotFound', 'GenerationEnded'],
} as const
