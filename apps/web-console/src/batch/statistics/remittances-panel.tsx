import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatExactCentavos } from '../../shared/format/format-brazilian.ts'
import { useFormats } from '../../shared/format/use-formats.ts'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { remittancesQuery } from '../api/queries.ts'
import type { RemittanceTotal } from '../api/types.ts'

/** What the signed remittances of the chosen days pay, by day, bank and company; nothing where none was signed. */
export function RemittancesPanel({ days }: { days: { from: string; to: string } }) {
  const { t } = useTranslation('batch-statistics')
  const { count, dateUtc } = useFormats()
  const { data } = useQuery(remittancesQuery(days))
  if (!data || data.rows.length === 0) return null
  const columns: Column<RemittanceTotal>[] = [
    { key: 'day', title: t('remittances.day'), isHeader: true, cell: ({ day }) => dateUtc(day) },
    {
      key: 'bank',
      title: t('remittances.bank'),
      cell: ({ bankCode, bankName }) => [bankCode, bankName].join(' ').trim(),
    },
    {
      key: 'company',
      title: t('remittances.company'),
      cell: ({ companyName, companyId }) => [companyName, companyId].filter(Boolean).join(', '),
    },
    { key: 'files', title: t('remittances.files'), numeric: true, cell: ({ files }) => count(files) },
    { key: 'payments', title: t('remittances.payments'), numeric: true, cell: ({ payments }) => count(payments) },
    {
      key: 'total',
      title: t('remittances.total'),
      numeric: true,
      cell: ({ totalCentavos }) => formatExactCentavos(totalCentavos),
    },
  ]
  return (
    <Panel
      title={t('remittances.title')}
      lead={t('remittances.lead', { total: formatExactCentavos(data.totalCentavos) })}
    >
      <DataTable
        caption={t('remittances.title')}
        columns={columns}
        rows={data.rows}
        rowKey={({ day, bankCode, companyId, companyName }) => [day, bankCode, companyId ?? companyName].join('/')}
      />
    </Panel>
  )
}
