import { serve } from '@chancela/service-kernel/http'
import { deleteWebhook, putWebhook, readWebhook } from '../actions/webhooks/subscription-webhook.ts'
import type { Parts } from '../compose.ts'
import * as contract from '../contract/webhooks.ts'
import type { CoreApp } from './core-app.ts'

/** The webhook of a subscription. */
export function serveWebhooks(app: CoreApp, parts: Parts): void {
  serve(app, contract.readWebhook, ({ caller, params }) => readWebhook(parts, caller, params.id))
  serve(app, contract.putWebhook, ({ caller, params, body, now }) => putWebhook(parts, caller, params.id, body, now))
  serve(app, contract.deleteWebhook, ({ caller, params, now }) => deleteWebhook(parts, caller, params.id, now))
}
