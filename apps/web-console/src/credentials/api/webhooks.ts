import type { EventKind } from '@chancela/credential-platform/contract'
import { queryOptions } from '@tanstack/react-query'
import { ask } from './acting-for.ts'
import { addressOf } from './lists.ts'
import type { Integration, IntegrationChange, Webhook, WebhookChange } from './types.ts'

const ofOrganization = (id: string) => `${addressOf('subscriptions', id)}/webhook`

const ofInstitute = (id: string) => `${addressOf('institutes', id)}/integrations`

export const webhookQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['webhook', organizationId],
    queryFn: ({ signal }) => ask<Webhook>('GET', ofOrganization(organizationId), { signal }),
  })

export const putWebhook = (organizationId: string, body: WebhookChange) =>
  ask<Webhook>('PUT', ofOrganization(organizationId), { body })

export const testWebhook = (organizationId: string, kind: EventKind) =>
  ask<unknown>('POST', `${ofOrganization(organizationId)}/test`, { body: { kind } })

export const integrationQuery = (instituteId: string) =>
  queryOptions({
    queryKey: ['integration', instituteId],
    queryFn: ({ signal }) => ask<Integration>('GET', ofInstitute(instituteId), { signal }),
  })

export const setIntegration = (instituteId: string, body: IntegrationChange) =>
  ask<Integration>('POST', ofInstitute(instituteId), { body })
