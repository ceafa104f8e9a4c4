import {
  configureEndpoints,
  createWebhookSender,
  growingIntervals,
  type WebhookMetrics,
  type WebhookSender,
} from '@chancela/outbox/webhooks'
import { SECOND } from '@chancela/service-kernel/clock'
import type { Context } from '../../context.ts'
import type { BatchMetrics } from '../../metrics.ts'
import { webhookPolicy } from '../../settings.ts'
import { WEBHOOK_OWNER } from './webhook-teller.ts'

/** Makes the endpoints those of the settings, before the first change is told of. */
export async function configureWebhooks({ settings, store, secrets, clock }: Context): Promise<void> {
  const wanted = settings.Webhooks.Endpoints.map(({ Name, Url, Secret, Events, AuthType, Token }) => ({
    id: Name,
    url: Url,
    secret: Secret,
    eventTypes: Events,
    authType: AuthType ?? 'NoAuth',
    token: Token ?? null,
    // A job's events tell a story: parked, decided, released, completed.
    ordered: true,
  }))
  await configureEndpoints(store, secrets, WEBHOOK_OWNER, wanted, clock())
}

/** Sends what the endpoints are told; undefined without any. */
export function openWebhooks(context: Context, metrics: BatchMetrics): WebhookSender | undefined {
  const { store, clock, secrets, logger, settings, closing, heartbeats } = context
  const { Endpoints, MaxAttempts, TimeoutSeconds } = settings.Webhooks
  if (Endpoints.length === 0) return undefined
  const sender = createWebhookSender({
    store,
    clock,
    secrets,
    heartbeats,
    policy: webhookPolicy(settings.Webhooks),
    schedule: growingIntervals(MaxAttempts),
    timeoutMs: TimeoutSeconds * SECOND,
    metrics: metricsOf(metrics),
    onTrouble: (error) => logger.error({ err: error }, 'webhook sender failed'),
  })
  closing.add('the webhooks', () => sender.stop())
  return sender
}

/** The sender's, under the names of this service. */
const metricsOf = (metrics: BatchMetrics): WebhookMetrics => ({
  webhook_attempts_total: metrics.bulk_webhook_attempts_total,
  webhook_attempt_duration_seconds: metrics.bulk_webhook_attempt_duration_seconds,
  webhook_delivery_delay_seconds: metrics.bulk_webhook_delivery_delay_seconds,
  webhook_endpoints_disabled_total: metrics.bulk_webhook_endpoints_disabled_total,
  webhook_deliveries_waiting: metrics.bulk_webhook_deliveries_waiting,
  webhook_oldest_waiting_seconds: metrics.bulk_webhook_oldest_waiting_seconds,
  webhook_breakers_open: metrics.bulk_webhook_breakers_open,
})
