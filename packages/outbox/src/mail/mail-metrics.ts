import type { MetricsOf, MetricTable } from '@chancela/service-kernel/metrics'

/** What came of an attempt. `refused` by the server for good; `gave_up` after the last attempt; `expired` unsent. */
const outcomes = ['sent', 'deferred', 'refused', 'gave_up', 'expired'] as const

export type MailOutcome = (typeof outcomes)[number]

/** What a mailer counts; services name these among their own metrics. */
export const mailMetricTable = {
  mail_attempts_total: {
    type: 'counter',
    help: 'Attempts to hand a mail to the SMTP server, by what came of them.',
    labels: { outcome: outcomes },
  },
  mail_waiting: { type: 'gauge', help: 'Mails written and not yet handed over.' },
} as const satisfies MetricTable

export type MailMetrics = MetricsOf<typeof mailMetricTable>
