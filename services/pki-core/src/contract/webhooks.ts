// Where a subscription is told of signed documents (pki-core facts 4.1); the operations are ours.
import Type, { type Static } from 'typebox'
import { always, Flag, maybe, orNull, subscriptionHeader, Text, Time } from './common.ts'

export const webhookEventTypes = ['DocumentSignatureCompleted'] as const

const authTypes = ['NoAuth', 'Basic', 'Bearer', 'ApiKey'] as const

const common = {
  path: '/api/subscriptions/{id}/webhook',
  tags: ['Webhooks'],
  headers: subscriptionHeader,
  access: 'webhooks.manage',
} as const

const WebhookModel = Type.Object(
  {
    url: Text,
    authType: Type.Enum([...authTypes]),
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
      authType: maybe(Type.Enum([...authTypes], { description: 'Default: NoAuth.' })),
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
