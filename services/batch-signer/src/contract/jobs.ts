import Type, { type TSchema } from 'typebox'
import { ApprovalState } from './approvals.ts'

const tags = ['Jobs']

/** A name that is not listed is refused by name: ignoring a mistyped filter would answer more than was asked for. */
const only = { additionalProperties: false } as const

const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

const Time = Type.String({ description: 'ISO 8601 UTC.' })
const Count = Type.Integer({ minimum: 0 })
const Milliseconds = orNull(Count)

/** A job in a list (spec 2, Resources). */
export const JobListItem = Type.Object(
  {
    id: Type.String({ description: 'GUID version 4.' }),
    fileName: Type.String(),
    originalPath: orNull(Type.String({ description: 'Null for a job that signs a document of an external service.' })),
    format: Type.String({ description: 'Pades, Cades or Xades.' }),
    source: Type.String({ description: 'Watcher, Upload, Retry, Rescan or SignerFolder.' }),
    status: Type.String({ description: 'One of the eight states of a job.' }),
    createdAt: Time,
    updatedAt: Time,
    parentJobId: orNull(Type.String({ description: 'Set on a retry: the job that failed.' })),
    errorMessage: orNull(
      Type.String({
        description: 'Why the job failed, in the language of the culture cookie or Accept-Language; else English.',
      }),
    ),
    profileName: Type.String(),
    errorCode: orNull(Type.String({ description: 'The code recorded on a failed job.' })),
    errorCause: orNull(
      Type.String({
        description: 'The code, and what is behind it where that is known: `cnab240.invalid/batch-record-count`.',
      }),
    ),
    approval: orNull(ApprovalState),
  },
  { $id: 'JobListItem' },
)

const HistoryEntry = Type.Object(
  {
    id: Type.Integer(),
    timestamp: Time,
    status: Type.String(),
    message: Type.String({
      description: 'What happened, in the language of the culture cookie or Accept-Language; else English.',
    }),
    code: Type.Optional(Type.String()),
  },
  { $id: 'JobHistoryEntry' },
)

const RemittanceSummary = Type.Object(
  {
    totalCentavos: Count,
    totalFormatted: Type.String(),
    paymentCount: Count,
    cancellationCount: Count,
    earliestPaymentDate: orNull(Type.String({ description: 'yyyy-MM-dd.' })),
    latestPaymentDate: orNull(Type.String({ description: 'yyyy-MM-dd.' })),
    contentSha256: Type.String(),
  },
  { $id: 'RemittanceSummary' },
)

const JobDetail = Type.Object(
  {
    ...JobListItem.properties,
    history: Type.Array(HistoryEntry, { description: 'The oldest line first.' }),
    errorFindings: Type.Array(Type.String(), {
      description: 'What is wrong with a refused remittance, at most 20 findings, in the language of errorMessage.',
    }),
    cnab240: orNull(RemittanceSummary),
    outputEncrypted: Type.Boolean(),
    outputFileName: orNull(Type.String()),
    inputFolder: orNull(Type.String({ description: 'Null for an upload.' })),
    contentSha256: orNull(Type.String()),
    contentLength: orNull(Count),
    externalReference: orNull(Type.String()),
    inputDisposal: Type.String({ description: 'none, pending, deleted, diverged or missing.' }),
    timings: Type.Object({
      queueMs: Milliseconds,
      signingMs: Milliseconds,
      verificationMs: Milliseconds,
      outputMs: Milliseconds,
    }),
  },
  { $id: 'JobDetail' },
)

/**
 * Query values are validated by the service and not by this schema: any invalid one, including repeated and blank ones,
 * is answered with `validation.filter-invalid`.
 */
const value = (description: string) => Type.Optional(Type.Unsafe<unknown>({ description }))

const filters = {
  status: value('One of the eight states.'),
  profile: value('Name of a signing profile, in any case.'),
  fileName: value('Part of the file name, in any case.'),
  from: value('First day of creation, yyyy-MM-dd, a day of the site.'),
  to: value('Last day of creation, yyyy-MM-dd, a day of the site.'),
  format: value('Pades, Cades or Xades.'),
  source: value('Watcher, Upload, Retry, Rescan or SignerFolder.'),
}

export const listJobs = {
  method: 'GET',
  path: '/api/jobs',
  summary: 'Lists jobs, the newest first.',
  tags,
  query: Type.Object(
    {
      ...filters,
      page: value('From 1; at most 10,737,418. Default 1.'),
      pageSize: value('1 to 200. Default 50.'),
    },
    only,
  ),
  answer: Type.Object(
    { items: Type.Array(JobListItem), page: Type.Integer(), pageSize: Type.Integer(), totalCount: Count },
    { $id: 'JobList' },
  ),
  refusals: ['validation.filter-invalid'],
} as const

export const readJob = {
  method: 'GET',
  path: '/api/jobs/{id}',
  summary: 'One job with its history.',
  tags,
  answer: JobDetail,
  refusals: ['job.not-found'],
} as const

export const readOutput = {
  method: 'GET',
  path: '/api/jobs/{id}/output',
  summary: 'Streams the output of a completed job.',
  tags,
  produces: 'application/octet-stream',
  refusals: ['job.not-found', 'job.output-unavailable', 'job.output-gone'],
} as const

export const readArchive = {
  method: 'GET',
  path: '/api/jobs/archive',
  summary: 'A ZIP of the outputs of the named jobs, stored without compression.',
  description: 'Outputs that are gone are listed in an entry `MISSING.txt`.',
  tags,
  query: Type.Object({ id: value('GUID of a completed job; repeat it for each, at most 50 distinct ones.') }, only),
  produces: 'application/zip',
  refusals: [
    'job.archive-empty',
    'job.archive-too-large',
    'validation.filter-invalid',
    'job.not-found',
    'job.output-unavailable',
    'job.output-gone',
  ],
} as const

export const exportJobs = {
  method: 'GET',
  path: '/api/jobs/export',
  summary: 'The job list as a spreadsheet, cut by the same filters; at most 10,000 rows.',
  tags,
  policy: 'Export',
  query: Type.Object(filters, only),
  produces: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  refusals: ['validation.filter-invalid'],
} as const

export const retryJob = {
  method: 'POST',
  path: '/api/jobs/{id}/retry',
  summary: 'Queues the file of a failed job as a new job.',
  tags,
  policy: 'Actions',
  status: 202,
  answer: Type.Object(
    { newJobId: Type.String(), parentJobId: Type.String(), status: Type.Literal('Queued') },
    { $id: 'RetriedJob' },
  ),
  refusals: [
    'job.not-found',
    'job.not-failed',
    'job.rejected-not-retriable',
    'job.input-missing',
    'job.already-processing',
    'file.already-processed',
    'job.path-too-long',
    'profile.not-found',
    'profile.disabled',
    'profile.takes-no-files',
  ],
} as const

export const cancelJob = {
  method: 'POST',
  path: '/api/jobs/{id}/cancel',
  summary: 'Cancels a job nobody has picked up; its file stays in its folder.',
  tags,
  policy: 'Actions',
  body: Type.Optional(
    Type.Object({ reason: Type.Optional(orNull(Type.String({ description: 'At most 512 characters.' }))) }),
  ),
  answer: Type.Object({ jobId: Type.String(), status: Type.Literal('Canceled') }, { $id: 'CanceledJob' }),
  refusals: ['job.not-found', 'job.not-queued', 'job.race-lost', 'validation.reason-too-long'],
} as const

export const clearJobs = {
  method: 'DELETE',
  path: '/api/jobs',
  summary: 'Clear Jobs: deletes every job in every state with its files, and all earlier events.',
  description:
    'Jobs that are being signed stay and are counted in `itemsFailed`. Runs to its end if the caller leaves.',
  tags,
  policy: 'Actions',
  answer: Type.Object(
    {
      deleted: Count,
      filesDeleted: Count,
      foldersDeleted: Count,
      eventsDeleted: Count,
      itemsFailed: Count,
      message: Type.String(),
    },
    { $id: 'ClearedJobs' },
  ),
} as const
