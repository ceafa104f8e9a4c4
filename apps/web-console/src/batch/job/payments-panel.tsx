import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Table2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDay } from '../../shared/format/format-brazilian.ts'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Facts } from '../../shared/parts/facts.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { paymentsQuery } from '../api/queries.ts'
import type { RemittanceSummary } from '../api/types.ts'
import { HashText } from './hash-text.tsx'
import { PaymentPages } from './payment-pages.tsx'

/** What a remittance pays; the single payments are loaded only on request. */
export function PaymentsPanel({ jobId, summary }: { jobId: string; summary: RemittanceSummary }) {
  const { t } = useTranslation('batch-job')
  const { count } = useFormats()
  const [open, setOpen] = useState(false)
  const dates = [summary.earliestPaymentDate, summary.latestPaymentDate].filter((day) => day !== null).map(formatDay)
  return (
    <Panel
      title={t('payments.title')}
      actions={
        <Button
          variant="default"
          size="xs"
          aria-expanded={open}
          leftSection={<Table2 size={14} aria-hidden="true" />}
          onClick={() => setOpen(!open)}
        >
          {t(open ? 'payments.hide' : 'payments.show')}
        </Button>
      }
    >
      <Facts
        dense
        rows={[
          [t('payments.total'), <strong key="total">{summary.totalFormatted}</strong>],
          [t('payments.count'), count(summary.paymentCount)],
          [t('payments.cancellations'), count(summary.cancellationCount)],
          [t('payments.dates'), [...new Set(dates)].join(' – ')],
        ]}
      />
      <Facts
        rows={[[t('payments.hash'), <HashText key="hash" what={t('payments.hash')} value={summary.contentSha256} />]]}
      />
      {open && <Payments jobId={jobId} />}
    </Panel>
  )
}

function Payments({ jobId }: { jobId: string }) {
  const { t } = useTranslation('batch-job')
  const payments = useQuery(paymentsQuery(jobId))
  return (
    <Queried query={payments}>
      {({ payments: rows }) => (rows === null ? <p>{t('payments.gone')}</p> : <PaymentPages payments={rows} />)}
    </Queried>
  )
}
