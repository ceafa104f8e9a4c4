import { webhookMetricTable } from '@chancela/outbox/webhooks'
import { defineMetrics } from '@chancela/service-kernel/metrics'
import type { Context } from './context.ts'

/** The metrics of the service: those of its webhooks. */
export const openCoreMetrics = ({ metrics }: Pick<Context, 'metrics'>) =>
  defineMetrics(metrics.registry, webhookMetricTable)
