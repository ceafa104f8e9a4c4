import { mailMetricTable } from '@chancela/outbox/mail'
import { webhookMetricTable } from '@chancela/outbox/webhooks'
import { defineMetrics, type MetricTable } from '@chancela/service-kernel/metrics'
import type { Context } from './context.ts'

/** Every metric of the service: those of its webhooks and mails. */
const platformMetricTable = { ...webhookMetricTable, ...mailMetricTable } as const satisfies MetricTable

export const openPlatformMetrics = ({ metrics }: Pick<Context, 'metrics'>) =>
  defineMetrics(metrics.registry, platformMetricTable)

export type PlatformMetrics = ReturnType<typeof openPlatformMetrics>
