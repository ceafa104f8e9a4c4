import { mailMetricTable } from '@chancela/outbox/mail'
import { webhookMetricTable } from '@chancela/outbox/webhooks'
import { defineMetrics } from '@chancela/service-kernel/metrics'
import type { ServiceContext } from '@chancela/service-kernel/service'

/** The metrics of the service: those of its webhooks and mails. */
export const openCredentialMetrics = ({ metrics }: Pick<ServiceContext, 'metrics'>) =>
  defineMetrics(metrics.registry, { ...webhookMetricTable, ...mailMetricTable })

export type CredentialMetrics = ReturnType<typeof openCredentialMetrics>
