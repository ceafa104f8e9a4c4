import Type, { type TSchema } from 'typebox'
import { NO_NUL } from './no-nul.ts'

const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

const Count = Type.Integer({ minimum: 0 })

/** Routes only for the dashboard; they may change with it. */
const dashboard = { hidden: true } as const

/** Where a run that retries failures stands: the last failure it looked at, newest first. */
const Place = Type.Object({ at: Type.String(), id: Type.String({ pattern: '^[0-9a-f-]{36}$' }) })

export const listFailures = {
  ...dashboard,
  method: 'GET',
  path: '/dashboard/api/failures',
  summary: 'Failures since a time that nothing came after, by their cause, the most frequent first.',
  query: Type.Object({
    since: Type.Optional(Type.Unsafe<unknown>({ description: 'ISO 8601. Default: 24 hours ago.' })),
  }),
  answer: Type.Object({
    since: Type.String(),
    causes: Type.Array(
      Type.Object({
        cause: Type.String(),
        code: Type.String(),
        count: Count,
        newestAt: Type.String(),
        /** False where a retry is refused whatever became of the cause. */
        retriable: Type.Boolean(),
        example: Type.Object({ jobId: Type.String(), fileName: Type.String(), errorMessage: orNull(Type.String()) }),
      }),
    ),
  }),
  refusals: ['validation.filter-invalid'],
} as const

export const retryFailures = {
  ...dashboard,
  method: 'POST',
  path: '/dashboard/api/failures/retry',
  summary: 'Retries the failures of one cause since a time, at most 500 a call; `next` goes on with the others.',
  policy: 'Actions',
  body: Type.Object({
    cause: Type.String({ minLength: 1, maxLength: 200, pattern: NO_NUL }),
    since: Type.String({ description: 'ISO 8601.' }),
    /** Failures after this time are left alone: a retry that fails again must not be retried by the same click. */
    until: Type.Optional(
      Type.String({ description: 'ISO 8601. Default: now. The next calls repeat the first answer.' }),
    ),
    after: Type.Optional(orNull(Place)),
  }),
  answer: Type.Object({
    taken: Count,
    refused: Type.Array(Type.Object({ code: Type.String(), count: Count, jobId: Type.String() })),
    until: Type.String(),
    next: orNull(Place),
  }),
  refusals: ['validation.filter-invalid'],
} as const
