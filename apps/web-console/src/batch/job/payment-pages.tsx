import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatCentavos, formatDay, formatTaxId } from '../../shared/format/format-brazilian.ts'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import type { Payment } from '../api/types.ts'
import { Paging } from '../parts/paging.tsx'
import { usePaymentForm } from '../texts/use-payment-form.ts'
import classes from './job.module.css'

/** A remittance may have 20,000 payments, more than a page can hold. */
const PAYMENTS_PER_PAGE = 100

/** The payments of a remittance, in pages. */
export function PaymentPages({ payments }: { payments: readonly Payment[] }) {
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
