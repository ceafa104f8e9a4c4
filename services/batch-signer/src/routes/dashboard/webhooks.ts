import { type Delivery, type Endpoint, endpointsOf, listDeliveries, replayDeliveries } from '@chancela/outbox/webhooks'
import { serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { listWebhookDeliveries, listWebhooks, replayWebhookDeliveries } from '../../contract/dashboard-webhooks.ts'
import { WEBHOOK_OWNER } from '../../parts/webhooks/webhook-teller.ts'
import { said, telling } from '../../rules/sentences.ts'
import type { FullApp } from '../full/full-app.ts'
import { actorOf } from '../operator-access.ts'

/** Registers the webhooks and the log of their deliveries, for operators. */
export function serveDashboardWebhooks(app: FullApp, { store, events }: Pick<Context, 'store' | 'events'>): void {
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
  serve(app, replayWebhookDeliveries, ({ body: { endpoint, deliveryIds }, caller, now }) =>
    store.transaction(async (tx) => {
      const count = await replayDeliveries(store, tx, { ownerId, id: endpoint }, { deliveryIds }, now)
      const what = telling(said('webhooks-replayed', { endpoint, count, actor: caller.name }), { deliveryIds })
      const subject = { kind: 'webhook', id: endpoint }
      if (count > 0) await events.record(tx, { type: 'WebhooksReplayed', actor: actorOf(caller), subject, ...what })
      return { replayed: count }
    }),
  )
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
