import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Table2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatCentavos, formatDay, formatTaxId } from '../../shared/format/format-brazilian.ts'
import { useFormats } from '../../shared/format/use-formats.ts'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { Facts } from '../../shared/parts/facts.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { paymentsQuery } from '../api/queries.ts'
import type { Payment, RemittanceSummary } from '../api/types.ts'
import { Paging } from '../parts/paging.tsx'
import { usePaymentForm } from '../texts/use-payment-form.ts'
import { HashText } from './hash-text.tsx'
import classes from './job.module.css'

/** A remittance may have 20,000 payments, more than a page can hold. */
const PAYMENTS_PER_PAGE = 100

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

function PaymentPages({ payments }: { payments: readonly Payment[] }) {
  const { t } = useTranslation('batch-job')
  const formOf = usePaymentForm()
  const [page, setPage] = useState(1)
  const columns: Column<Payment>[] = [
    { key: 'payee', title: t('payments.payee'), isHeader: true, cell: (payment) => <Payee payment={payment} /> },
    {
      key: 'amount',
      title: t('payments.amount'),
      numeric: true,
      cell: ({ amountCentavos }) => formatCentavos(amountCentavos),
    },
    { key: 'movement', title: t('payments.movement'), cell: ({ movement }) => t(`payments.${movement}`) },
    { key: 'date', title: t('payments.date'), cell: ({ paymentDate }) => (paymentDate ? formatDay(paymentDate) : '–') },
    { key: 'account', title: t('payments.account'), cell: accountOf },
    { key: 'form', title: t('payments.form'), cell: ({ form, segment }) => `${formOf(form)} (${segment})` },
    { key: 'own', title: t('payments.ownNumber'), cell: ({ ownNumber }) => ownNumber ?? '–' },
  ]
  const shown = payments.slice((page - 1) * PAYMENTS_PER_PAGE, page * PAYMENTS_PER_PAGE)
  const pages = { page, pageSize: PAYMENTS_PER_PAGE, totalCount: payments.length }
  return (
    <>
      <DataTable caption={t('payments.title')} columns={columns} rows={shown} rowKey={({ record }) => record} />
      {payments.length > PAYMENTS_PER_PAGE && <Paging {...pages} onPage={setPage} />}
    </>
  )
}

/** The name with the CPF or CNPJ below it, as a bank slip has them. */
function Payee({ payment: { payeeName, payeeId } }: { payment: Payment }) {
  return (
    <>
      {payeeName ?? '–'}
      {payeeId && <span className={classes.taxId}>{formatTaxId(payeeId)}</span>}
    </>
  )
}

function accountOf({ payeeBank, payeeBranch, payeeAccount, barcode }: Payment): string {
  const account = [payeeBank, payeeBranch, payeeAccount].filter((part) => part !== null).join(' / ')
  return account || barcode || '–'
}
