import { useTranslation } from 'react-i18next'
import { formatCentavos, formatDay, formatTaxId } from '../../../shared/format/format-brazilian.ts'
import { useFormats } from '../../../shared/format/use-formats.ts'
import { type Column, DataTable } from '../../../shared/parts/data-table.tsx'
import { Facts } from '../../../shared/parts/facts.tsx'
import { Panel } from '../../../shared/parts/panel.tsx'
import type { Payment } from '../../api/types.ts'
import { HashText } from '../../job/hash-text.tsx'
import { PaymentPages } from '../../job/payment-pages.tsx'
import { DecisionChip } from '../../parts/decision-chip.tsx'
import { StatusChip } from '../../parts/status-chip.tsx'
import type { PoolMember, PortalFile } from '../api/portal-types.ts'
import { Deadline } from '../parts/deadline.tsx'
import classes from '../parts/parts.module.css'

/** What is decided about: figures where it is a remittance, and the hash of its bytes in any case. */
export function FileSummary({ file }: { file: PortalFile }) {
  const { t } = useTranslation('batch-portal')
  const { dateAndMinute, bytes } = useFormats()
  const { tally, status, contentSha256, contentLength } = file
  const hash = t('approval.hash', { ns: 'batch-job' })
  return (
    <Panel
      title={t(file.totalCentavos === null ? 'file.plain' : 'file.summary')}
      actions={status ? <StatusChip status={status} /> : t('deleted')}
    >
      <Figures file={file} />
      <Facts
        dense
        rows={[
          [t('columns.approvals'), t('tally', { ...tally })],
          [t('columns.deadline'), <Deadline key="deadline" at={file.expiresAt} />],
          [t('file.parked'), dateAndMinute(file.parkedSince)],
          [t('file.profile'), file.profile],
          [t('file.size'), contentLength === null ? undefined : bytes(contentLength)],
        ]}
      />
      {contentSha256 && <Facts rows={[[hash, <HashText key="hash" what={hash} value={contentSha256} />]]} />}
    </Panel>
  )
}

/** Empty for a file that is no remittance. */
function Figures({ file }: { file: PortalFile }) {
  const { t } = useTranslation('batch-portal')
  const { t: tJob } = useTranslation('batch-job')
  const { count } = useFormats()
  const { totalFormatted, paymentCount, cancellationCount, largestCentavos, payerName, payerId } = file
  if (totalFormatted === null) return null
  const days = [file.earliestPaymentDate, file.latestPaymentDate].filter((day) => day !== null).map(formatDay)
  return (
    <Facts
      dense
      rows={[
        [t('columns.total'), <strong key="total">{totalFormatted}</strong>],
        [t('columns.payments'), paymentCount === null ? undefined : count(paymentCount)],
        [tJob('payments.cancellations'), cancellationCount === null ? undefined : count(cancellationCount)],
        [t('file.largest'), largestCentavos === null ? undefined : formatCentavos(largestCentavos)],
        [tJob('payments.dates'), [...new Set(days)].join(' – ')],
        [t('file.payer'), payerName],
        [t('file.payerId'), payerId && <TaxId key="payerId" id={payerId} />],
      ]}
    />
  )
}

const TaxId = ({ id }: { id: string }) => <span className={classes.whole}>{formatTaxId(id)}</span>

/** Who decides, by name, and what they decided. */
export function PoolPanel({ pool }: { pool: readonly PoolMember[] }) {
  const { t } = useTranslation('batch-portal')
  const { t: tJob } = useTranslation('batch-job')
  const { dateAndMinute } = useFormats()
  const columns: Column<PoolMember>[] = [
    {
      key: 'who',
      title: tJob('approval.who'),
      isHeader: true,
      cell: ({ name, isYou }) => (isYou ? `${name} ${t('file.you')}` : name),
    },
    {
      key: 'decision',
      title: tJob('approval.decision'),
      cell: ({ decision, decidedAt }) => (
        <span>
          <DecisionChip decision={decision} />
          {decidedAt && <span className={classes.below}>{dateAndMinute(decidedAt)}</span>}
        </span>
      ),
    },
    { key: 'reason', title: tJob('approval.reason'), cell: ({ reason }) => reason ?? '–' },
  ]
  return (
    <Panel title={t('file.decisions')}>
      <DataTable caption={t('file.decisions')} columns={columns} rows={pool} rowKey={({ name }) => name} />
    </Panel>
  )
}

export function PaymentsOf({ payments }: { payments: readonly Payment[] }) {
  const { t } = useTranslation('batch-portal')
  return (
    <Panel title={t('columns.payments')}>
      <PaymentPages payments={payments} />
    </Panel>
  )
}
