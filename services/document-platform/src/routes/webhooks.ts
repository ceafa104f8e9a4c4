import { serve } from '@chancela/service-kernel/http'
import type { Webhooks } from '../actions/organizations/webhooks.ts'
import { eventCatalogue } from '../contract/event-data.ts'
import * as contract from '../contract/webhooks.ts'
import type { PlatformApp } from './platform-app.ts'

/** Registers the webhook routes of organizations. */
export function serveWebhooks(app: PlatformApp, webhooks: Webhooks): void {
  serve(app, contract.createWebhook, ({ caller, params, body, now }) =>
    webhooks.create(caller, params.orgId, body, now),
  )
  serve(app, contract.updateWebhook, ({ caller, params, body, now }) => webhooks.update(caller, params, body, now))
  serve(app, contract.deleteWebhook, ({ caller, params, now }) => webhooks.delete(caller, params, now))
  serve(app, contract.setWebhookState, ({ caller, params, body, now }) =>
    webhooks.setState(caller, params, body.state, now),
  )
  serve(app, contract.rotateWebhookSecret, ({ caller, params, now }) => webhooks.rotateSecret(caller, params, now))
  serve(app, contract.sendTestEvent, ({ caller, params, body, now }) => webhooks.test(caller, params, body.type, now))
  serve(app, contract.listEventTypes, () =>
    Object.entries(eventCatalogue).map(([type, { description, schema, sample }]) => ({
      type,
      description,
      schema,
      sample,
    })),
  )
  serve(app, contract.listDeliveries, ({ caller, params, query }) => webhooks.deliveries(caller, params, query))
  serve(app, contract.readDelivery, ({ caller, params }) => webhooks.delivery(caller, params))
  serve(app, contract.resendDeliveries, ({ caller, params, body, now }) => webhooks.replay(caller, params, body, now))
  serve(app, contract.cancelDeliveries, ({ caller, params, body, now }) =>
    webhooks.cancel(caller, params, body.deliveryIds, now),
  )
}
