import Type, { type TSchema } from 'typebox'
import { JobListItem } from './jobs.ts'

const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

const Count = Type.Integer()
const Milliseconds = orNull(Type.Integer())
const Counts = Type.Record(Type.String(), Count)

/** Routes only for the dashboard; they may change with it. */
const dashboard = { hidden: true } as const

export const readOverview = {
  ...dashboard,
  method: 'GET',
  path: '/dashboard/api/overview',
  summary: 'What the first page of the dashboard shows.',
  answer: Type.Object({
    counts: Counts,
    last24h: Type.Object({ completed: Count, failed: Count, canceled: Count, encrypted: Count }),
    slots: Type.Object({ used: Count, of: Count }),
    inFlightByFormat: Type.Object({ pades: Count, cades: Count, xades: Count, total: Count }),
    longestRunning: orNull(
      Type.Object({ jobId: Type.String(), fileName: Type.String(), startedAt: orNull(Type.String()) }),
    ),
    paused: Type.Boolean(),
    reason: orNull(Type.String()),
    throughput: Type.Array(Type.Object({ at: Type.String(), completed: Count, failed: Count, canceled: Count })),
    performance: Type.Object({
      averageJobMs: Milliseconds,
      averageSigningMs: Milliseconds,
      averageVerificationMs: Milliseconds,
      averageQueueMs: Milliseconds,
      averageOutputMs: Milliseconds,
      minMs: Milliseconds,
      maxMs: Milliseconds,
      lastMinute: Count,
      perMinuteLifetime: Type.Number(),
      slowest: orNull(Type.Object({ jobId: Type.String(), fileName: Type.String(), totalMs: Count })),
      since: orNull(Type.String()),
    }),
    recent: Type.Array(JobListItem),
  }),
} as const

const day = (description: string) => Type.Optional(Type.Unsafe<unknown>({ description }))

export const readStatistics = {
  ...dashboard,
  method: 'GET',
  path: '/dashboard/api/statistics',
  summary: 'Counts of all jobs, and what ended between two days: by hour up to a week, by day beyond.',
  query: Type.Object(
    {
      from: day('yyyy-MM-dd, a day of the site. Default: six days before `to`.'),
      to: day('yyyy-MM-dd. Default: today.'),
    },
    { additionalProperties: false },
  ),
  answer: Type.Object({
    byStatus: Counts,
    bySource: Counts,
    byFormat: Counts,
    byProfile: Counts,
    buckets: Type.Array(
      Type.Object({
        at: Type.String(),
        completed: Count,
        failed: Count,
        canceled: Count,
        encrypted: Count,
        averageQueueMs: Milliseconds,
        averageSigningMs: Milliseconds,
        averageVerificationMs: Milliseconds,
        averageOutputMs: Milliseconds,
        longestMs: Milliseconds,
      }),
    ),
  }),
  refusals: ['validation.filter-invalid'],
} as const

export const readRemittanceTotals = {
  ...dashboard,
  method: 'GET',
  path: '/dashboard/api/remittances',
  summary: 'What signed remittances pay, by day (Cnab240:TimeZone), bank and company.',
  query: Type.Object({
    from: day('First day of signing, yyyy-MM-dd. Default: six days before `to`.'),
    to: day('Last day. Default: today.'),
  }),
  answer: Type.Object({
    from: Type.String(),
    to: Type.String(),
    rows: Type.Array(
      Type.Object({
        day: Type.String(),
        bankCode: Type.String(),
        bankName: orNull(Type.String()),
        companyName: Type.String(),
        companyId: orNull(Type.String()),
        files: Count,
        payments: Count,
        totalCentavos: Type.String({
          description: 'Digits: sums may be larger than what every JSON reader keeps exact.',
        }),
      }),
    ),
    totalCentavos: Type.String(),
  }),
  refusals: ['validation.filter-invalid'],
} as const

export const readPayments = {
  ...dashboard,
  method: 'GET',
  path: '/dashboard/api/jobs/{id}/payments',
  summary: 'The remittance of a job: its summary and, while they are kept, its payments.',
  answer: Type.Object({
    summary: orNull(Type.Record(Type.String(), Type.Unknown())),
    payments: orNull(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
  }),
  refusals: ['job.not-found'],
} as const

const Reason = Type.Optional(Type.Object({ reason: Type.Optional(orNull(Type.String())) }))

export const deleteJob = {
  ...dashboard,
  method: 'DELETE',
  path: '/dashboard/api/jobs/{id}',
  summary: 'Deletes one job with its history and its files.',
  policy: 'Actions',
  body: Reason,
  answer: Type.Object({ removed: Type.Array(Type.String()), kept: Type.Array(Type.String()) }),
  refusals: ['job.not-found', 'job.in-flight', 'job.race-lost', 'validation.reason-too-long'],
} as const

export const bulkJobs = {
  ...dashboard,
  method: 'POST',
  path: '/dashboard/api/jobs/bulk',
  summary: 'Retries, cancels or deletes many jobs; each has its own result.',
  policy: 'Actions',
  body: Type.Object({
    action: Type.Enum(['retry', 'cancel', 'delete']),
    ids: Type.Array(Type.String(), { minItems: 1, maxItems: 200 }),
    reason: Type.Optional(orNull(Type.String())),
  }),
  answer: Type.Object({
    results: Type.Array(Type.Object({ id: Type.String(), ok: Type.Boolean(), code: Type.Optional(Type.String()) })),
  }),
  refusals: ['validation.reason-too-long'],
} as const

export const live = {
  ...dashboard,
  method: 'GET',
  path: '/dashboard/api/live',
  summary: 'Server-sent events: `jobs`, `pipeline`, `profiles`, `folders`, `backup`.',
  produces: 'text/event-stream',
  counted: false,
} as const
