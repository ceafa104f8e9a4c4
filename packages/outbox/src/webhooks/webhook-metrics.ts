import type { Clock } from '@chancela/service-kernel/clock'
import type { MetricsOf, MetricTable } from '@chancela/service-kernel/metrics'
import type { Store } from '@chancela/service-kernel/store'
import { allLines } from './line-statements.ts'
import { webhookTables } from './tables.ts'

/** Limit for counting waiting deliveries: a scrape must not scan millions. */
const MOST_COUNTED = 100_000

/** Metrics of a sender; services include them in their own. */
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
  webhook_deliveries_waiting: {
    type: 'gauge',
    help: `Deliveries that wait, in the database that all instances share; counted up to ${MOST_COUNTED}.`,
  },
  webhook_oldest_waiting_seconds: {
    type: 'gauge',
    help: 'For how long the delivery that is most overdue is due; 0 when none is.',
  },
  webhook_breakers_open: { type: 'gauge', help: 'Endpoints whose attempts pause after failures.' },
} as const satisfies MetricTable

export type WebhookMetrics = MetricsOf<typeof webhookMetricTable>

/** Reads the state of the outbox at every scrape. */
export function measureOutbox<Tables>(metrics: WebhookMetrics, { db }: Store<Tables>, clock: Clock): void {
  const tables = webhookTables(db)
  const waiting = () => tables.selectFrom('webhook_delivery').where('state', '=', 'waiting')
  metrics.webhook_deliveries_waiting.measure(async () => {
    const some = waiting().select('id').limit(MOST_COUNTED).as('some')
    const { n } = await tables
      .selectFrom(some)
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    return n
  })
  metrics.webhook_oldest_waiting_seconds.measure(async () => {
    const lines = await allLines(db, undefined)
    const oldest = Math.min(...lines.filter(({ state }) => state === 'enabled').map(({ due_at }) => Date.parse(due_at)))
    return Math.max(0, (clock().getTime() - oldest) / 1000)
  })
  metrics.webhook_breakers_open.measure(async () => {
    const { n } = await tables
      .selectFrom('webhook_endpoint')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('state', '=', 'enabled')
      .where('open_until', '>', clock().toISOString())
      .executeTakeFirstOrThrow()
    return n
  })
}
