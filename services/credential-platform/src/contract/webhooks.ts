// Where an organization and its institutions are told of changes (spec 3 B; the shapes are credentials-platform facts 3).
import Type, { type Static } from 'typebox'
import { always, body, Count, Flag, maybe, orNull, subscriptionHeader, Text } from './common.ts'
import { eventKinds } from './vocabulary.ts'

const webhookAuthTypes = ['NoAuth', 'Basic', 'Bearer', 'ApiKey'] as const

const tags = ['Webhooks']

const settings = {
  enabled: Type.Boolean({ description: 'Habilitar webhooks.' }),
  url: maybe(Type.String({ minLength: 1, maxLength: 2000 })),
  authType: maybe(Type.Enum([...webhookAuthTypes], { description: 'Default: NoAuth.' })),
  token: maybe(
    Type.String({
      maxLength: 8000,
      description: 'Sent exactly as given. Basic: already Base64 of user:password. Not given: the one there is stays.',
    }),
  ),
}

const shown = {
  enabled: Flag,
  url: orNull(Text),
  authType: Type.Enum([...webhookAuthTypes]),
  hasToken: Type.Boolean({ description: 'Whether there is a token; it is never shown.' }),
}

const WebhookModel = Type.Object(shown, { $id: 'WebhookModel' })
const IntegrationModel = Type.Object(
  {
    ...shown,
    shouldUseSubscriptionWebhookSettings: Type.Boolean({
      description: 'The events go to the webhook of the organization, whatever stands beside it.',
    }),
  },
  { $id: 'IntegrationModel' },
)

export type WebhookView = Static<typeof WebhookModel>
export type IntegrationView = Static<typeof IntegrationModel>

const ofSubscription = {
  path: '/api/subscriptions/{id}/webhook',
  tags,
  headers: subscriptionHeader,
  access: 'webhooks.manage',
} as const

export const readSubscriptionWebhook = {
  ...ofSubscription,
  method: 'GET',
  operationId: 'readSubscriptionWebhook',
  summary: 'The webhook of the organization.',
  answer: WebhookModel,
  refusals: [...always, 'subscription-not-found'],
} as const

export const putSubscriptionWebhook = {
  ...ofSubscription,
  method: 'PUT',
  operationId: 'putSubscriptionWebhook',
  summary: 'Sets the webhook of the organization up, or changes it: there is one.',
  body: body(settings, 'WebhookSettings'),
  answer: WebhookModel,
  refusals: [...always, 'subscription-not-found', 'invalid-data', 'webhook-url-refused'],
} as const

export type WebhookSettings = Static<typeof putSubscriptionWebhook.body>

export const testSubscriptionWebhook = {
  ...ofSubscription,
  method: 'POST',
  path: `${ofSubscription.path}/test`,
  operationId: 'testSubscriptionWebhook',
  summary: 'Sends a sample of an event to the webhook of the organization.',
  body: body({ kind: Type.Optional(Type.Enum([...eventKinds], { default: 'Degree' })) }, 'WebhookTest'),
  status: 202,
  refusals: [...always, 'subscription-not-found', 'webhook-disabled'],
} as const

const ofInstitute = {
  path: '/api/institutes/{id}/integrations',
  tags,
  headers: subscriptionHeader,
  access: 'webhooks.manage',
} as const

export const readInstituteIntegration = {
  ...ofInstitute,
  method: 'GET',
  operationId: 'readInstituteIntegration',
  summary: 'The webhook of an institution.',
  answer: IntegrationModel,
  refusals: [...always, 'institute-not-found'],
} as const

export const setInstituteIntegration = {
  ...ofInstitute,
  method: 'POST',
  operationId: 'setInstituteIntegration',
  summary: 'Configures the webhook of an institution: of its lists of annulled degrees and its inspection files.',
  body: body(
    { ...settings, shouldUseSubscriptionWebhookSettings: maybe(Type.Boolean({ description: 'Default: false.' })) },
    'IntegrationSettings',
  ),
  answer: IntegrationModel,
  refusals: [...always, 'institute-not-found', 'invalid-data', 'webhook-url-refused'],
} as const

export type IntegrationSettings = Static<typeof setInstituteIntegration.body>

const MOST_RESENT = 1000

export const resendWebhooks = {
  method: 'POST',
  path: '/api/webhooks/resend',
  operationId: 'resendWebhooks',
  summary: 'Tells of items again, as they are now.',
  tags,
  headers: subscriptionHeader,
  body: body(
    {
      kind: Type.Enum([...eventKinds]),
      ids: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: MOST_RESENT }),
    },
    'WebhookResend',
  ),
  answer: Type.Object({ scheduled: Count, unknown: Type.Array(Text) }, { $id: 'WebhookResendModel' }),
  status: 202,
  access: 'webhooks.resend',
  refusals: [...always, 'webhook-disabled'],
} as const
