import type { MetricsOf, MetricTable } from '../metrics/index.ts'

/** What a sender counts; services name these among their own metrics. */
export const webhookMetricTable = {
  webhook_attempts_total: {
    type: 'counter',
    help: 'Attempts to deliver, by what came of them.',
    labels: { outcome: ['delivered', 'refused', 'no_answer'] },
  },
  webhook_attempt_duration_seconds: {
    type: 'histogram',
    help: 'From the first byte sent to the end of the answer.',
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
  },
  webhook_delivery_delay_seconds: {
    type: 'histogram',
    help: 'From the event to the first attempt.',
    buckets: [0.01, 0.05, 0.1, 0.2, 0.5, 1, 5, 30, 120, 600],
  },
  webhook_endpoints_disabled_total: { type: 'counter', help: 'Endpoints that were disabled after failures alone.' },
} as const satisfies MetricTable

export type WebhookMetrics = MetricsOf<typeof webhookMetricTable>
