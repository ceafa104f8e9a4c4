// File uploads (document-platform facts 1.4).
import Type from 'typebox'
import { Count, Id, orNull, Text } from './common.ts'
import { pdfRefusals } from './errors.ts'

const tags = ['Uploads']

const UploadedFile = Type.Object(
  { id: Id, location: orNull(Text), name: Text, contentType: Text },
  { $id: 'FileModel' },
)

export const uploadFile = {
  method: 'POST',
  path: '/api/uploads',
  summary: 'Takes a file of a form in, or a segment of a large one.',
  description:
    'The file is the first part of the form that has a file name; `name` and `contentType` may say more. With `ticket` and a `Content-Range` header the form carries one segment, and the last one answers with the file. Any bytes are taken; but what says that it is a PDF and begins as one is looked at, so that a PDF nobody could sign is refused here.',
  tags,
  query: Type.Object({ ticket: Type.Optional(Type.String({ maxLength: 200 })) }),
  consumes: ['multipart/form-data'],
  streamed: true,
  answer: UploadedFile,
  otherAnswers: { 202: Type.Object({ received: Count, total: Count }) },
  access: 'documents.create',
  refusals: ['UploadEmpty', 'UploadTooLarge', 'UploadTicketInvalidOrExpired', 'UploadRangeInvalid', ...pdfRefusals],
} as const

export const uploadBytes = {
  method: 'POST',
  path: '/api/uploads/bytes',
  summary: 'Takes a file in as base64.',
  tags,
  body: Type.Object({ bytes: Type.String({ minLength: 1 }) }),
  consumes: ['application/json'],
  streamed: true,
  answer: Type.Object({ id: Id, size: Count, digest: Type.String({ description: 'MD5, base64.' }) }),
  access: 'documents.create',
  refusals: ['UploadEmpty', 'UploadTooLarge'],
} as const

export const createUploadTicket = {
  method: 'POST',
  path: '/api/uploads/segmented-upload-ticket',
  summary: 'Begins an upload in segments.',
  tags,
  answer: Type.String(),
  access: 'documents.create',
} as const
