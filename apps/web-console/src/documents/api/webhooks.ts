import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/request.ts'
import type { CreatedWebhook, Delivery, DeliveryDetail, WebhookChange, WebhookState } from './types.ts'

/** Identifies a webhook and its organization. */
export interface WebhookRef {
  readonly organizationId: string
  readonly webhookId: string
}

const webhooks = (organizationId: string) => `/api/organizations/${encodeURIComponent(organizationId)}/webhooks`

const webhook = ({ organizationId, webhookId }: WebhookRef) =>
  `${webhooks(organizationId)}/${encodeURIComponent(webhookId)}`

export const createWebhook = (organizationId: string, body: WebhookChange) =>
  call<CreatedWebhook>('POST', webhooks(organizationId), { body })

export const changeWebhook = (ref: WebhookRef, body: WebhookChange) => call<unknown>('PUT', webhook(ref), { body })

export const deleteWebhook = (ref: WebhookRef) => call<unknown>('DELETE', webhook(ref))

export const setWebhookState = (ref: WebhookRef, state: WebhookState) =>
  call<unknown>('PUT', `${webhook(ref)}/state`, { body: { state } })

export const rotateSecret = (ref: WebhookRef) => call<{ secret: string }>('POST', `${webhook(ref)}/secret`)

export const sendTestEvent = (ref: WebhookRef, type: string) =>
  call<{ deliveryId: string }>('POST', `${webhook(ref)}/test`, { body: { type } })

export interface DeliveryFilters {
  readonly state?: string
  readonly type?: string
}

/** Waiting deliveries are sent meanwhile. */
const REFRESH_MS = 5000

export const deliveriesQuery = (ref: WebhookRef, filters: DeliveryFilters) =>
  infiniteQueryOptions({
    queryKey: ['deliveries', ref, filters],
    queryFn: ({ signal, pageParam }) =>
      call<{ items: Delivery[]; nextCursor: string | null }>(
        'GET',
        `${webhook(ref)}/deliveries?${new URLSearchParams({ ...filters, ...(pageParam && { cursor: pageParam }) })}`,
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: REFRESH_MS,
  })

export const deliveryQuery = (ref: WebhookRef, deliveryId: string) =>
  queryOptions({
    queryKey: ['deliveries', ref, deliveryId],
    queryFn: ({ signal }) =>
      call<DeliveryDetail>('GET', `${webhook(ref)}/deliveries/${encodeURIComponent(deliveryId)}`, { signal }),
    refetchInterval: REFRESH_MS,
  })

export const resend = (ref: WebhookRef, deliveryIds: readonly string[]) =>
  call<{ scheduled: number }>('POST', `${webhook(ref)}/replay`, { body: { deliveryIds } })

export const resendFailed = (ref: WebhookRef, failedSince: string) =>
  call<{ scheduled: number }>('POST', `${webhook(ref)}/replay`, { body: { failedSince } })
