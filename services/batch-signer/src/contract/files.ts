import Type from 'typebox'

const Format = Type.Enum(['Pades', 'Cades', 'Xades'])

/** POST /api/files (spec 2, Endpoints). */
export const uploadFile = {
  method: 'POST',
  path: '/api/files',
  summary: 'Uploads one file to be signed.',
  description:
    'The file is streamed to disk and becomes a queued job; the answer comes when both are durable. The format comes from the query, else from the form, else from the profile, else from the extension of the file.',
  tags: ['Files'],
  policy: 'Upload',
  streamed: true,
  // What is no form has no part `file`: `upload.empty`.
  judgesMediaType: true,
  consumes: ['multipart/form-data'],
  query: Type.Object(
    {
      format: Type.Optional(
        Type.String({ description: 'Pades, Cades or Xades, in any letters; by extension when absent.' }),
      ),
      profile: Type.Optional(
        Type.String({ description: 'Signing profile, in any letters; the default one when absent.' }),
      ),
    },
    { additionalProperties: false },
  ),
  body: Type.Object({
    file: Type.String({ format: 'binary', description: 'The file; the part must carry a file name.' }),
    format: Type.Optional(Type.String({ description: 'Like the query, which goes before.' })),
  }),
  status: 202,
  answer: Type.Object(
    {
      jobId: Type.String({ format: 'uuid' }),
      fileName: Type.String(),
      originalPath: Type.String(),
      format: Format,
      status: Type.String(),
    },
    { $id: 'UploadedFile' },
  ),
  refusals: [
    'upload.disabled',
    'profile.not-found',
    'profile.disabled',
    'profile.takes-no-files',
    'upload.format-unsupported',
    'upload.invalid-name',
    'upload.empty',
    'upload.too-large',
    'job.path-too-long',
    'file.already-processed',
    'job.already-processing',
    'service.busy',
  ],
} as const
