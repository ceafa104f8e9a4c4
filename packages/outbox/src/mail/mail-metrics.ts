import type { MetricsOf, MetricTable } from '@chancela/service-kernel/metrics'

/** The outcome of an attempt. `refused` permanently; `gave_up` after the last attempt; `expired` unsent. */
const outcomes = ['sent', 'deferred', 'refused', 'gave_up', 'expired'] as const

export type MailOutcome = (typeof outcomes)[number]

/** Metrics of a mailer; services include them in their own. */
export const mailMetricTable = {
  mail_attempts_total: {
    type: 'counter',
    help: 'Attempts to hand a mail to the SMTP server, by what came of them.',
    labels: { outcome: outcomes },
  },
  mail_waiting: { type: 'gauge', help: 'Mails written and not yet handed over.' },
} as const satisfies MetricTable

export type MailMetrics = MetricsOf<typeof mailMetricTable>
