import Type, { type TSchema } from 'typebox'

const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** Routes only for the dashboard; they may change with it. */
const dashboard = { hidden: true } as const

const Name = Type.String({ minLength: 1, maxLength: 40 })

const Id = Type.Integer({ minimum: 1 })

const state = Type.Enum(['waiting', 'delivered', 'failed', 'canceled'])

export const listWebhooks = {
  ...dashboard,
  method: 'GET',
  path: '/dashboard/api/webhooks',
  summary: 'The endpoints of Webhooks:Endpoints, and how they do.',
  answer: Type.Object({
    endpoints: Type.Array(
      Type.Object({
        name: Name,
        url: Type.String({ description: 'Without its query, which may hold a secret.' }),
        events: Type.Array(Type.String()),
        failures: Type.Integer({ description: 'In a row.' }),
        failingSince: orNull(Type.String()),
        pausedUntil: orNull(Type.String({ description: 'After many failures attempts pause.' })),
      }),
    ),
  }),
} as const

export const listWebhookDeliveries = {
  ...dashboard,
  method: 'GET',
  path: '/dashboard/api/webhooks/deliveries',
  summary: 'Deliveries, newest first, 50 at once; `before` goes on.',
  query: Type.Object({
    endpoint: Type.Optional(Name),
    state: Type.Optional(state),
    jobId: Type.Optional(Type.String({ maxLength: 36 })),
    before: Type.Optional(Id),
  }),
  answer: Type.Object({
    deliveries: Type.Array(
      Type.Object({
        id: Id,
        eventId: Type.String({ description: 'The `webhook-id` of every attempt.' }),
        endpoint: Name,
        type: Type.String(),
        jobId: Type.String(),
        state,
        attempts: Type.Integer(),
        createdAt: Type.String(),
        nextAttemptAt: orNull(Type.String()),
        finishedAt: orNull(Type.String()),
        lastStatus: orNull(Type.Integer()),
        lastError: orNull(Type.String()),
      }),
    ),
  }),
} as const

export const replayWebhookDeliveries = {
  ...dashboard,
  method: 'POST',
  path: '/dashboard/api/webhooks/replay',
  summary: 'Sends ended deliveries of an endpoint again, with the same ids and bytes.',
  policy: 'Actions',
  body: Type.Object({ endpoint: Name, deliveryIds: Type.Array(Id, { minItems: 1, maxItems: 100 }) }),
  answer: Type.Object({ replayed: Type.Integer() }),
} as const
