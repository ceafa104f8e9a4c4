// Files of requests and answers, and the ways they are brought (pki-core facts 4.2, 4.5).
import Type, { type Static } from 'typebox'
import { always, Bytes, maybe, orNull, subscriptionHeader, Text } from './common.ts'

const tags = ['Files']

/** Bytes of a file inside JSON; larger ones are uploaded first. */
const MOST_INLINE_BYTES = 32 * 1024 * 1024

/** A body with one such file and everything else. */
export const INLINE_BODY_BYTES = Math.ceil(MOST_INLINE_BYTES / 3) * 4 + 1024 * 1024

/** Bytes within JSON. Checked when they are decoded: a pattern over megabytes would exhaust the matcher. */
export const InlineBytes = Type.String({
  maxLength: Math.ceil(MOST_INLINE_BYTES / 3) * 4,
  description: 'Base64.',
})

/** A file of a request: exactly one of content, url and blobToken. */
export const FileReference = Type.Object(
  {
    content: maybe(InlineBytes),
    url: maybe(Type.String({ maxLength: 4096, description: 'Read with GET; also a link that this service gave.' })),
    location: maybe(Type.String({ maxLength: 4096, description: 'The same as url.' })),
    blobToken: maybe(Type.String({ maxLength: 256, description: 'Of an upload.' })),
    name: maybe(Type.String({ maxLength: 1024, description: 'Required with content.' })),
    mimeType: maybe(Type.String({ maxLength: 255 })),
    contentType: maybe(Type.String({ maxLength: 255, description: 'The same as mimeType.' })),
    length: maybe(Type.Number({ description: 'Must fit the bytes where it is given and not 0.' })),
  },
  { $id: 'FileReference' },
)

export type FileReferenceRequest = Static<typeof FileReference>

/** A file of an answer: a link to it. Both names of the type and of the link are filled. */
export const FileReferenceModel = Type.Object(
  {
    mimeType: orNull(Text),
    content: orNull(Bytes),
    blobToken: orNull(Text),
    url: orNull(Text),
    name: orNull(Text),
    length: Type.Integer(),
    contentType: orNull(Text),
    location: orNull(Text),
  },
  { $id: 'FileReferenceModel' },
)

export type FileView = Static<typeof FileReferenceModel>

/** Every kind of body: clients send bytes under octet-stream, as a form or as JSON (pki-core facts 4.5). */
const anyBytes = { consumes: ['*/*'], streamed: true, body: Type.String({ format: 'binary' }) } as const

export const uploadPlain = {
  method: 'POST',
  path: '/api/plain-uploads',
  operationId: 'uploadPlain',
  summary: 'Uploads the bytes of the body as one file.',
  tags,
  headers: subscriptionHeader,
  query: Type.Object({ name: Type.Optional(Type.String({ maxLength: 1024, description: 'Name of the file.' })) }),
  ...anyBytes,
  answer: FileReferenceModel,
  access: 'files.upload',
  refusals: [...always, 'UploadEmpty', 'FileTooLarge', 'BadDigest'],
} as const

export const beginMultipartUpload = {
  method: 'POST',
  path: '/Api/MultipartUploads',
  operationId: 'beginMultipartUpload',
  summary: 'Begins an upload in parts.',
  tags,
  headers: subscriptionHeader,
  answer: Type.Object(
    { blobToken: Text, partSize: Type.Integer({ description: 'Bytes of every part but the last.' }) },
    { $id: 'MultipartUploadBeginResponse' },
  ),
  access: 'files.upload',
  refusals: always,
} as const

export const uploadPart = {
  method: 'POST',
  path: '/Api/MultipartUploads/{token}/{partNumber}',
  operationId: 'uploadPart',
  summary: 'Uploads one part; the answer names it in its ETag header. A part sent again replaces the earlier one.',
  tags,
  headers: subscriptionHeader,
  params: Type.Object({
    token: Text,
    partNumber: Type.Integer({ minimum: 0, maximum: 9999, description: 'From 0.' }),
  }),
  ...anyBytes,
  status: 200,
  answer: Type.Object({}, { $id: 'MultipartUploadPartResponse' }),
  access: 'files.upload',
  refusals: [...always, 'InvalidToken', 'UploadEmpty', 'FileTooLarge', 'BadDigest'],
} as const

export const endMultipartUpload = {
  method: 'POST',
  path: '/Api/MultipartUploads/{token}',
  operationId: 'endMultipartUpload',
  summary: 'Joins the parts to the file that the token then stands for.',
  tags,
  headers: subscriptionHeader,
  body: Type.Object(
    {
      partETags: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 10_000 }),
      completeMD5: maybe(Type.String({ maxLength: 64, description: 'Of the whole file, base64 or hexadecimal.' })),
    },
    { $id: 'MultipartUploadEndRequest' },
  ),
  answer: FileReferenceModel,
  access: 'files.upload',
  refusals: [...always, 'InvalidToken', 'UploadEmpty', 'UploadPartsMismatch', 'FileTooLarge', 'BadDigest'],
} as const

export const downloadFile = {
  method: 'GET',
  path: '/api/files',
  operationId: 'downloadFile',
  summary: 'The bytes behind a link: its ticket is all that is needed, for a while.',
  tags,
  query: Type.Object({ access_ticket: Type.String({ minLength: 1, maxLength: 4096 }) }),
  produces: 'application/octet-stream',
  access: 'anonymous',
  policy: 'Downloads',
  refusals: ['InvalidToken'],
} as const
