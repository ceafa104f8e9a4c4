import { type Delivery, type Endpoint, endpointsOf, listDeliveries, replayDeliveries } from '@chancela/outbox/webhooks'
import { serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { listWebhookDeliveries, listWebhooks, replayWebhookDeliveries } from '../../contract/dashboard-webhooks.ts'
import { WEBHOOK_OWNER } from '../../parts/webhooks/webhook-teller.ts'
import type { FullApp } from '../full/full-app.ts'

/** Registers the webhooks and the log of their deliveries, for operators. */
export function serveDashboardWebhooks(app: FullApp, { store }: Pick<Context, 'store'>): void {
  const ownerId = WEBHOOK_OWNER
  serve(app, listWebhooks, async () => ({ endpoints: (await endpointsOf(store.db, ownerId)).map(endpointView) }))
  serve(app, listWebhookDeliveries, async ({ query: { endpoint, state, jobId, before } }) => {
    const found = await listDeliveries(store.db, {
      ownerId,
      ...(endpoint !== undefined && { endpointId: endpoint }),
      ...(state !== undefined && { states: [state] }),
      ...(jobId !== undefined && { subject: jobId }),
      ...(before !== undefined && { before }),
    })
    return { deliveries: found.map(deliveryView) }
  })
  serve(app, replayWebhookDeliveries, async ({ body: { endpoint, deliveryIds }, now }) => {
    const name = { ownerId, id: endpoint }
    const replayed = await store.transaction((tx) => replayDeliveries(store, tx, name, { deliveryIds }, now))
    return { replayed }
  })
}

const endpointView = ({ id, url, eventTypes, failures, failingSince, openUntil }: Endpoint) => ({
  name: id,
  url: url.replace(/[?#].*$/s, ''),
  events: [...(eventTypes ?? [])],
  failures,
  failingSince,
  pausedUntil: openUntil,
})

const deliveryView = ({ endpointId, subject, isTest: _, ...delivery }: Delivery) => ({
  ...delivery,
  endpoint: endpointId,
  jobId: subject,
})
