// Where a subscription is told of signed documents (pki-core facts 4.1); the operations are ours.
import Type, { type Static } from 'typebox'
import { always, Flag, maybe, orNull, subscriptionHeader, Text, Time } from './common.ts'

export const webhookEventTypes = ['DocumentSignatureCompleted'] as const

export const webhookAuthTypes = ['NoAuth', 'Basic', 'Bearer', 'ApiKey'] as const

const path = '/api/subscriptions/{id}/webhook'

const common = {
  path,
  tags: ['Webhooks'],
  headers: subscriptionHeader,
  access: 'webhooks.manage',
} as const

const WebhookModel = Type.Object(
  {
    url: Text,
    authType: Type.Enum([...webhookAuthTypes]),
    hasToken: Flag,
    state: Type.Enum(['enabled', 'paused', 'disabled']),
    stateReason: orNull(Text),
    failures: Type.Integer(),
    failingSince: orNull(Time),
    secret: orNull(
      Type.String({
        description: 'Signs deliveries (Standard Webhooks); shown when the webhook is set up, never again.',
      }),
    ),
  },
  { $id: 'SubscriptionWebhookModel' },
)

export type WebhookView = Static<typeof WebhookModel>

const refusals = [...always, 'EntityNotFound'] as const

export const readWebhook = {
  ...common,
  method: 'GET',
  operationId: 'readWebhook',
  summary: 'The webhook of the subscription.',
  answer: WebhookModel,
  refusals,
} as const

export const putWebhook = {
  ...common,
  method: 'PUT',
  operationId: 'putWebhook',
  summary: 'Sets up the webhook of the subscription, or changes it. A token that is not given stays as it is.',
  body: Type.Object(
    {
      url: Type.String({ minLength: 1, maxLength: 2000 }),
      authType: maybe(Type.Enum([...webhookAuthTypes], { description: 'Default: NoAuth.' })),
      token: maybe(Type.String({ maxLength: 8000, description: 'Sent behind Basic or Bearer, or in X-Api-Key.' })),
    },
    { $id: 'SubscriptionWebhookRequest' },
  ),
  answer: WebhookModel,
  refusals: [...refusals, 'WebhookUrlNotAllowed'],
} as const

export type WebhookRequest = Static<typeof putWebhook.body>

export const deleteWebhook = {
  ...common,
  method: 'DELETE',
  operationId: 'deleteWebhook',
  summary: 'Removes the webhook; what waits for it is not sent.',
  status: 200,
  refusals,
} as const

export const webhookStates = ['enabled', 'paused', 'disabled'] as const

export const setWebhookState = {
  ...common,
  method: 'PUT',
  path: `${path}/state`,
  operationId: 'setWebhookState',
  summary: 'Pauses the webhook, enables it again, or disables it.',
  body: Type.Object({ state: Type.Enum([...webhookStates]) }, { $id: 'SubscriptionWebhookStateRequest' }),
  answer: WebhookModel,
  refusals,
} as const

export const rotateWebhookSecret = {
  ...common,
  method: 'POST',
  path: `${path}/secret`,
  operationId: 'rotateWebhookSecret',
  summary: 'A new signing secret; the former one signs along for a day.',
  answer: Type.Object({ secret: Text }, { $id: 'SubscriptionWebhookSecretModel' }),
  refusals,
} as const

export const testWebhook = {
  ...common,
  method: 'POST',
  path: `${path}/test`,
  operationId: 'testWebhook',
  summary: 'Sends a sample of an event to the webhook.',
  answer: Type.Object({ deliveryId: Text }, { $id: 'SubscriptionWebhookTestModel' }),
  refusals: [...refusals, 'WebhookDisabled'],
} as const

const deliveryStates = ['waiting', 'delivered', 'failed', 'canceled'] as const

const deliveryFields = {
  id: Text,
  eventId: Text,
  type: Text,
  documentId: Text,
  state: Type.Enum([...deliveryStates]),
  isTest: Flag,
  attempts: Type.Integer(),
  nextAttempt: orNull(Time),
  creationDate: Time,
  endDate: orNull(Time),
  lastStatus: orNull(Type.Integer()),
  lastError: orNull(Text),
}

const Delivery = Type.Object(deliveryFields, { $id: 'SubscriptionWebhookDelivery' })

export const listWebhookDeliveries = {
  ...common,
  method: 'GET',
  path: `${path}/deliveries`,
  operationId: 'listWebhookDeliveries',
  summary: 'What was sent and what waits, the newest first.',
  query: Type.Object({
    state: Type.Optional(Type.Enum([...deliveryStates])),
    documentId: Type.Optional(Type.String({ maxLength: 64 })),
    since: Type.Optional(Type.String({ maxLength: 64 })),
    until: Type.Optional(Type.String({ maxLength: 64 })),
    cursor: Type.Optional(Type.Integer({ minimum: 0, description: 'nextCursor of the page before.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  }),
  answer: Type.Object(
    { items: Type.Array(Delivery), nextCursor: orNull(Text) },
    { $id: 'SubscriptionWebhookDeliveries' },
  ),
  refusals,
} as const

export type DeliveriesQuery = Static<typeof listWebhookDeliveries.query>

export const readWebhookDelivery = {
  ...common,
  method: 'GET',
  path: `${path}/deliveries/{deliveryId}`,
  operationId: 'readWebhookDelivery',
  summary: 'A delivery with its attempts; what was sent in each stands beside it.',
  params: Type.Object({ id: Text, deliveryId: Type.Integer({ minimum: 0 }) }),
  answer: Type.Object(
    {
      ...deliveryFields,
      attemptLog: Type.Array(
        Type.Object(
          {
            date: Time,
            durationMs: Type.Integer(),
            status: orNull(Type.Integer()),
            error: orNull(Text),
            body: orNull(Text),
            answer: orNull(Text),
          },
          { $id: 'SubscriptionWebhookAttempt' },
        ),
      ),
    },
    { $id: 'SubscriptionWebhookDeliveryDetail' },
  ),
  refusals,
} as const

export const replayWebhookDeliveries = {
  ...common,
  method: 'POST',
  path: `${path}/replay`,
  operationId: 'replayWebhookDeliveries',
  summary: 'Sends again: some deliveries, those of a time that did not arrive, or events that were never sent.',
  body: Type.Object(
    {
      deliveryIds: maybe(Type.Array(Type.Integer({ minimum: 0 }), { maxItems: 1000 })),
      failedSince: maybe(
        Type.String({ maxLength: 64, description: 'What failed or was canceled, and has not arrived since.' }),
      ),
      missingSince: maybe(
        Type.String({ maxLength: 64, description: 'Events without a delivery, or with canceled ones alone.' }),
      ),
      until: maybe(Type.String({ maxLength: 64, description: 'Of failedSince. Default: now.' })),
    },
    { $id: 'SubscriptionWebhookReplayRequest' },
  ),
  answer: Type.Object({ scheduled: Type.Integer() }, { $id: 'SubscriptionWebhookReplayModel' }),
  refusals: [...refusals, 'WebhookDisabled'],
} as const

export type ReplayRequest = Static<typeof replayWebhookDeliveries.body>

export const cancelWebhookDeliveries = {
  ...common,
  method: 'POST',
  path: `${path}/cancel-waiting`,
  operationId: 'cancelWebhookDeliveries',
  summary: 'Gives up what waits for the webhook.',
  body: Type.Object(
    { deliveryIds: maybe(Type.Array(Type.Integer({ minimum: 0 }), { maxItems: 1000, description: 'Default: all.' })) },
    { $id: 'SubscriptionWebhookCancelRequest' },
  ),
  answer: Type.Object({ canceled: Type.Integer() }, { $id: 'SubscriptionWebhookCancelModel' }),
  refusals,
} as const
