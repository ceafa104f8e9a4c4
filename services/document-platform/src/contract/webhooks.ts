// Webhooks of an organization (spec 3 A), with their log, replay and test events.
import Type from 'typebox'
import { Count, Flag, Id, maybe, orNull, Text, Time } from './common.ts'

const tags = ['Webhooks']

export const webhookAuthTypes = ['NoAuth', 'Basic', 'Bearer', 'ApiKey'] as const

export const eventTypes = [
  'DocumentsCreated',
  'DocumentSigned',
  'DocumentApproved',
  'DocumentRefused',
  'DocumentConcluded',
  'DocumentCanceled',
  'DocumentExpired',
  'DocumentDeleted',
  'InvoiceClosed',
] as const

export type EventType = (typeof eventTypes)[number]

export const deletionActions = ['DeletedByUserOrApplication', 'DeletedByOrganization', 'DeletedByFolder'] as const

/** The reason beside it in both languages; null for words of somebody else. */
const Messages = orNull(Type.Object({ 'pt-BR': Text, 'en-US': Text }))

/** A registered webhook; the token is never shown. */
export const Webhook = Type.Object(
  {
    id: Id,
    url: Text,
    authType: Type.Enum([...webhookAuthTypes]),
    hasToken: Flag,
    eventTypes: orNull(Type.Array(Text)),
    folderIds: orNull(Type.Array(Id)),
    ordered: Flag,
    state: Type.Enum(['enabled', 'paused', 'disabled']),
    stateReason: orNull(Text),
    stateReasonMessages: Messages,
    failingSince: orNull(Time),
    failures: Count,
    nextAttemptAfter: orNull(Time),
    creationDate: Time,
    updateDate: Time,
  },
  { $id: 'Webhook' },
)

export const webhookUrl = Type.String({ minLength: 1, maxLength: 2000 })

/** How deliveries authenticate themselves; a webhook that is known keeps what is not said. */
export const webhookAuthentication = {
  authType: maybe(Type.Enum([...webhookAuthTypes])),
  token: maybe(Type.String({ maxLength: 8000, description: 'Sent exactly as it is given.' })),
}

const WebhookBody = Type.Object(
  {
    url: webhookUrl,
    ...webhookAuthentication,
    eventTypes: maybe(Type.Array(Type.Enum([...eventTypes]), { description: 'All when empty.' })),
    folderIds: maybe(Type.Array(Id, { maxItems: 100, description: 'Of all folders when empty.' })),
    ordered: maybe(Type.Boolean({ description: 'Events of one document one after the other.' })),
  },
  {
    $id: 'WebhookRequest',
    description:
      'What is absent stays as it is; a new webhook takes all events of all folders, without authentication.',
  },
)

const path = '/api/organizations/{orgId}/webhooks'

const registrationRefusals = [
  'OrganizationNotFound',
  'OperationNotSupportedInPersonalOrganizations',
  'WebhookUrlNotAllowed',
] as const

export const createWebhook = {
  method: 'POST',
  path: '/api/organizations/{orgId}/webhooks',
  summary: 'Registers a webhook.',
  description: 'Its signing secret (Standard Webhooks) is shown in this answer alone.',
  tags,
  body: WebhookBody,
  answer: Type.Object({ id: Id, webhookId: Id, secret: Text }),
  access: 'webhooks.manage',
  refusals: [...registrationRefusals, 'MaxWebhooksLimitReached'],
} as const

export const updateWebhook = {
  method: 'PUT',
  path: '/api/organizations/{orgId}/webhooks/{webhookId}',
  summary: 'Changes a webhook, and starts it anew: where it was disabled, it is enabled.',
  tags,
  body: WebhookBody,
  status: 200,
  access: 'webhooks.manage',
  refusals: [...registrationRefusals, 'WebhookNotFound'],
} as const

const found = ['OrganizationNotFound', 'WebhookNotFound'] as const

export const deleteWebhook = {
  method: 'DELETE',
  path: '/api/organizations/{orgId}/webhooks/{webhookId}',
  summary: 'Removes a webhook; what waited for it is not sent.',
  tags,
  status: 200,
  access: 'webhooks.manage',
  refusals: found,
} as const

export const setWebhookState = {
  method: 'PUT',
  path: `${path}/{webhookId}/state`,
  summary: 'Pauses a webhook, enables it again, or disables it.',
  tags,
  body: Type.Object({ state: Type.Enum(['enabled', 'paused', 'disabled']) }),
  status: 200,
  access: 'webhooks.manage',
  refusals: found,
} as const

export const rotateWebhookSecret = {
  method: 'POST',
  path: `${path}/{webhookId}/secret`,
  summary: 'A new signing secret; the former one signs along for a day.',
  tags,
  answer: Type.Object({ secret: Text }),
  access: 'webhooks.manage',
  refusals: found,
} as const

export const sendTestEvent = {
  method: 'POST',
  path: `${path}/{webhookId}/test`,
  summary: 'Sends a sample of an event to this webhook.',
  tags,
  body: Type.Object({ type: Type.Enum([...eventTypes]) }),
  answer: Type.Object({ deliveryId: Text }),
  access: 'webhooks.manage',
  refusals: [...found, 'WebhookDisabled'],
} as const

export const listEventTypes = {
  method: 'GET',
  path: '/api/webhooks/event-types',
  summary: 'The catalogue of events: when each is sent, its data as JSON Schema, a sample.',
  tags,
  answer: Type.Array(Type.Object({ type: Text, description: Text, schema: Type.Unknown(), sample: Type.Unknown() })),
  access: 'webhooks.manage',
} as const

const Delivery = Type.Object(
  {
    id: Text,
    eventId: Text,
    webhookId: Id,
    type: Text,
    subject: Text,
    state: Type.Enum(['waiting', 'delivered', 'failed', 'canceled']),
    isTest: Flag,
    attempts: Count,
    nextAttempt: orNull(Time),
    creationDate: Time,
    endDate: orNull(Time),
    lastStatus: orNull(Type.Integer()),
    lastError: orNull(Text),
    lastErrorMessages: Messages,
  },
  { $id: 'WebhookDelivery' },
)

export const listDeliveries = {
  method: 'GET',
  path: `${path}/{webhookId}/deliveries`,
  summary: 'What was sent and what waits, the newest first.',
  tags,
  query: Type.Object({
    state: Type.Optional(Type.Enum(['waiting', 'delivered', 'failed', 'canceled'])),
    type: Type.Optional(Type.Enum([...eventTypes])),
    documentId: Type.Optional(Id),
    since: Type.Optional(Text),
    until: Type.Optional(Text),
    cursor: Type.Optional(Type.String({ maxLength: 200 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  }),
  answer: Type.Object({ items: Type.Array(Delivery), nextCursor: orNull(Text) }),
  access: 'webhooks.manage',
  refusals: found,
} as const

export const readDelivery = {
  method: 'GET',
  path: `${path}/{webhookId}/deliveries/{deliveryId}`,
  summary: 'A delivery with its payload and attempts.',
  tags,
  answer: Type.Object({
    ...Delivery.properties,
    body: orNull(Text),
    attemptLog: Type.Array(
      Type.Object({
        date: Time,
        durationMs: Count,
        status: orNull(Type.Integer()),
        error: orNull(Text),
        errorMessages: Messages,
        answer: orNull(Text),
      }),
    ),
  }),
  access: 'webhooks.manage',
  refusals: [...found, 'WebhookDeliveryNotFound'],
} as const

export const resendDeliveries = {
  method: 'POST',
  path: `${path}/{webhookId}/replay`,
  summary: 'Sends again: some deliveries, those of a time that did not arrive, or events this webhook never got.',
  tags,
  body: Type.Object({
    deliveryIds: maybe(Type.Array(Text, { maxItems: 1000 })),
    failedSince: maybe(Type.String({ description: 'What failed or was canceled, and has not arrived since.' })),
    missingSince: maybe(Type.String({ description: 'Events without a delivery, or with canceled ones alone.' })),
    until: maybe(Text),
  }),
  answer: Type.Object({ scheduled: Count }),
  access: 'webhooks.manage',
  refusals: [...found, 'WebhookDisabled'],
} as const

export const cancelDeliveries = {
  method: 'POST',
  path: `${path}/{webhookId}/cancel-waiting`,
  summary: 'Gives up what waits for this webhook.',
  tags,
  body: Type.Object({ deliveryIds: maybe(Type.Array(Text, { maxItems: 1000 })) }),
  answer: Type.Object({ canceled: Count }),
  access: 'webhooks.manage',
  refusals: found,
} as const
