import { serve } from '@chancela/service-kernel/http'
import { resend, sendSample } from '../actions/webhooks/resend.ts'
import { putWebhook, readIntegration, readWebhook, setIntegration } from '../actions/webhooks/webhook-settings.ts'
import type { Parts } from '../compose.ts'
import * as contract from '../contract/webhooks.ts'
import type { CredentialApp } from './credential-app.ts'

/** Where an organization and its institutions are told of changes. There is no list of what was sent (spec 3 B). */
export function serveWebhooks(app: CredentialApp, parts: Parts): void {
  const { context } = parts
  serve(app, contract.readSubscriptionWebhook, ({ caller, params }) => readWebhook(parts, caller, params.id))
  serve(app, contract.putSubscriptionWebhook, ({ caller, params, body, now }) =>
    putWebhook(parts, caller, params.id, body, now),
  )
  serve(app, contract.testSubscriptionWebhook, ({ caller, params, body, now }) =>
    sendSample(context, caller, params.id, body.kind ?? 'Degree', now),
  )
  serve(app, contract.readInstituteIntegration, ({ caller, params }) => readIntegration(parts, caller, params.id))
  serve(app, contract.setInstituteIntegration, ({ caller, params, body, now }) =>
    setIntegration(parts, caller, params.id, body, now),
  )
  serve(app, contract.resendWebhooks, ({ caller, body, now }) => resend(context, caller, body, now))
}
