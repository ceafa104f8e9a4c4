import Type, { type TSchema } from 'typebox'
import { CleanupResult } from './operations.ts'

// The compact variant (spec 2, Compact): the same jobs on its own base URL, with its own paths, names and states.

const Timestamp = Type.String({ format: 'date-time' })
const text = (description: string) => Type.String({ description })
const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** States of a job in the compact variant. */
export const compactStatuses = ['Pending', 'Processing', 'Completed', 'Failed', 'Rejected', 'Canceled'] as const

export type CompactStatus = (typeof compactStatuses)[number]

/** Sources of a job in the compact variant. */
export const compactSources = ['RestApi', 'WatchedFolder'] as const

export type CompactSource = (typeof compactSources)[number]

/** Formats an upload may request; Auto decides by the file extension. */
export const compactUploadFormats = ['Auto', 'Cades', 'Xades', 'Pades'] as const

const compactFormats = ['Pades', 'Cades', 'Xades'] as const

/** Page size of a list that names none. */
const PAGE_SIZE = 50

const jobItem = {
  id: text('GUID version 4.'),
  fileName: Type.String(),
  status: Type.Enum(compactStatuses),
  source: Type.Enum(compactSources),
  signatureFormat: Type.Enum(compactFormats),
  encryptionEnabled: Type.Boolean({ description: 'Whether the output is, or will be, encrypted.' }),
  externalReference: orNull(Type.String()),
  originalJobId: orNull(text('The failed job this one retries.')),
  createdAtUtc: Timestamp,
  updatedAtUtc: Timestamp,
  startedAtUtc: orNull(Timestamp),
  completedAtUtc: orNull(text('When the job ended, however it ended.')),
  processingMs: orNull(Type.Integer({ description: 'From pick-up to output, of a Completed job.' })),
  outputFileName: orNull(Type.String()),
  errorCode: orNull(Type.String()),
  errorMessage: orNull(Type.String()),
}

const CompactJob = Type.Object(jobItem, { $id: 'CompactJob' })

const CompactJobEvent = Type.Object(
  {
    id: Type.Integer(),
    createdAtUtc: Timestamp,
    status: Type.Enum(compactStatuses),
    code: orNull(Type.String()),
    message: Type.String({
      description: 'What happened, in the language of the culture cookie or Accept-Language; else English.',
    }),
  },
  { $id: 'CompactJobEvent' },
)

const CompactJobDetail = Type.Object(
  {
    ...jobItem,
    contentSha256: orNull(Type.String()),
    contentLength: orNull(Type.Integer()),
    outputUrl: text('Where the output is once the job is Completed.'),
    events: Type.Array(CompactJobEvent, { description: 'In the order of createdAtUtc.' }),
  },
  { $id: 'CompactJobDetail' },
)

/** The parts of an upload. The form is streamed; this schema is for the reference. */
const CompactForm = Type.Object({
  file: Type.Unsafe<unknown>({ type: 'string', format: 'binary', description: 'Exactly one, with a file name.' }),
  signatureFormat: Type.Optional(
    Type.Enum(compactUploadFormats, { default: 'Auto', description: 'Auto decides by the extension.' }),
  ),
  encryptionEnabled: Type.Optional(Type.Boolean({ description: 'As the default profile says when absent.' })),
  externalReference: Type.Optional(
    Type.String({ description: 'What the caller calls the file; any text that a field of a form may have, 8 KiB.' }),
  ),
})

const CompactUpload = Type.Object(
  { jobId: Type.String(), statusUrl: Type.String(), outputUrl: Type.String() },
  { $id: 'CompactUpload' },
)

const Moment = (description: string) => Type.String({ minLength: 1, description })

const CompactJobsQuery = Type.Object(
  {
    page: Type.Integer({ minimum: 1, maximum: 10_737_418, default: 1 }),
    pageSize: Type.Integer({ minimum: 1, maximum: 200, default: PAGE_SIZE }),
    status: Type.Optional(Type.Enum(compactStatuses)),
    source: Type.Optional(Type.Enum(compactSources)),
    signatureFormat: Type.Optional(Type.Enum(compactFormats)),
    encryptionEnabled: Type.Optional(Type.Boolean()),
    filenameContains: Type.Optional(Type.String({ minLength: 1, description: 'Taken literally, case ignored.' })),
    externalReferenceContains: Type.Optional(Type.String({ minLength: 1, description: 'As filenameContains.' })),
    createdFromUtc: Type.Optional(
      Moment('Earliest creation: an ISO 8601 time (without offset: UTC), or a date, which means its whole day.'),
    ),
    createdToUtc: Type.Optional(Moment('Latest creation, included; otherwise as createdFromUtc.')),
  },
  { additionalProperties: false },
)

/** The checks behind the readiness of the compact variant: name → `ok`, or `fail: ` and the reason. */
const CompactReadiness = Type.Object(
  { ready: Type.Boolean(), checks: Type.Record(Type.String(), Type.String()) },
  { $id: 'CompactReadiness' },
)

const Counts = Type.Record(Type.String(), Type.Integer())

const CompactMetrics = Type.Object(
  {
    totalJobs: Type.Integer(),
    pendingJobs: Type.Integer(),
    processingJobs: Type.Integer(),
    completedJobs: Type.Integer(),
    failedJobs: Type.Integer(),
    rejectedJobs: Type.Integer(),
    jobsBySource: Counts,
    jobsBySignatureFormat: Counts,
    averageProcessingMs: Type.Number(),
    lastSuccessfulUtc: orNull(Timestamp),
    lastFailedUtc: orNull(Timestamp),
  },
  { $id: 'CompactMetrics' },
)

/** Counted apart: clients at one address with the orchestrator must not make its probes fail, which would end the service. */
const PROBES = 'CompactProbe'

const files = ['Files']
const jobs = ['Jobs']
const operations = ['Operations']

/** Every endpoint of the compact variant. */
export const compactRoutes = {
  upload: {
    method: 'POST',
    path: '/api/files',
    tags: files,
    summary: 'Uploads one file to be signed.',
    consumes: ['multipart/form-data'],
    streamed: true,
    judgesMediaType: true,
    body: CompactForm,
    status: 202,
    answer: CompactUpload,
    refusals: [
      'upload.disabled',
      'upload.empty',
      'upload.invalid-name',
      'upload.extension-unsupported',
      'upload.format-unsupported',
      'upload.too-large',
      'profile.disabled',
      'job.already-processing',
      'job.path-too-long',
      'file.already-processed',
      'request.invalid',
    ],
  },
  listJobs: {
    method: 'GET',
    path: '/api/jobs',
    tags: jobs,
    summary: 'Lists jobs, the newest first.',
    query: CompactJobsQuery,
    answer: Type.Object(
      { total: Type.Integer(), page: Type.Integer(), pageSize: Type.Integer(), items: Type.Array(CompactJob) },
      { $id: 'CompactJobList' },
    ),
    refusals: ['validation.filter-invalid'],
  },
  readJob: {
    method: 'GET',
    path: '/api/jobs/{jobId}',
    tags: jobs,
    summary: 'Reads a job with its events.',
    answer: CompactJobDetail,
    refusals: ['job.not-found'],
  },
  readOutput: {
    method: 'GET',
    path: '/api/jobs/{jobId}/output',
    tags: jobs,
    summary: 'Streams the output of a Completed job.',
    produces: 'application/octet-stream',
    refusals: ['job.not-found', 'job.output-unavailable', 'job.output-gone'],
  },
  retryJob: {
    method: 'POST',
    path: '/api/jobs/{jobId}/retry',
    tags: jobs,
    summary: 'Signs the file of a Failed job once more, as a new job.',
    status: 202,
    answer: Type.Object({ jobId: Type.String(), retryOf: Type.String() }, { $id: 'CompactRetry' }),
    refusals: [
      'job.not-found',
      'job.not-failed',
      'job.rejected-not-retriable',
      'job.input-missing',
      'job.already-processing',
      'job.race-lost',
      'file.already-processed',
      'job.path-too-long',
      'profile.not-found',
      'profile.disabled',
      'profile.takes-no-files',
    ],
  },
  rescan: {
    method: 'POST',
    path: '/api/input/rescan',
    tags: files,
    summary: 'Looks through the input folders now.',
    answer: Type.Object({ enqueued: Type.Integer() }, { $id: 'CompactRescan' }),
  },
  cleanUp: {
    method: 'POST',
    path: '/api/cleanup/run',
    tags: operations,
    summary: 'Removes what is older than the retention now.',
    answer: CleanupResult,
  },
  health: {
    method: 'GET',
    path: '/api/health',
    tags: operations,
    policy: PROBES,
    summary: 'Whether the process answers.',
    access: 'anonymous',
    answer: Type.Object({ healthy: Type.Boolean(), status: Type.String() }, { $id: 'CompactHealth' }),
  },
  ready: {
    method: 'GET',
    path: '/api/ready',
    tags: operations,
    policy: PROBES,
    summary: 'Whether uploads can be signed, check by check.',
    description:
      'With the key there is one check for each input folder, `input-folder:<name>`; without it they are one, `input-folders`.',
    access: 'anonymous',
    answer: CompactReadiness,
    otherAnswers: { 503: CompactReadiness },
  },
  metrics: {
    method: 'GET',
    path: '/metrics',
    tags: operations,
    summary: 'Counts of the jobs.',
    answer: CompactMetrics,
  },
} as const
