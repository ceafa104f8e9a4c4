import { useTranslation } from 'react-i18next'
import { daysUntil } from '../../console/parts/days.ts'
import parts from '../../console/parts/parts.module.css'
import { useFormats } from '../../shared/format/use-formats.ts'
import { useNow } from '../../shared/format/use-now.ts'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import type { Certificate } from '../api/types.ts'
import { VerdictChip } from '../parts/chips.tsx'
import { CpfText } from '../parts/cpf-text.tsx'

export interface CertificatesTableProps {
  certificates: readonly Certificate[]
  onShow: (id: string) => void
}

export function CertificatesTable({ certificates, onShow }: CertificatesTableProps) {
  const { t } = useTranslation(['sessions-certificates', 'console'])
  const { dateAndMinute } = useFormats()
  const columns: readonly Column<Certificate>[] = [
    {
      key: 'holder',
      title: t('columns.holder'),
      isHeader: true,
      cell: ({ id, subjectName, cpf }) => (
        <span className={parts.stack}>
          <button
            type="button"
            className={parts.open}
            aria-label={t('console:show', { what: subjectName })}
            onClick={() => onShow(id)}
          >
            {subjectName}
          </button>
          <span className={parts.small}>
            <CpfText cpf={cpf} />
          </span>
        </span>
      ),
    },
    {
      key: 'verdict',
      title: t('columns.verdict'),
      cell: ({ status }) => (
        <span className={parts.stack}>
          <VerdictChip status={status} />
          {status !== 'ACTIVE' && <span className={parts.small}>{t(`verdictText.${status}`)}</span>}
        </span>
      ),
    },
    { key: 'expires', title: t('columns.expires'), cell: ({ notAfter }) => <Expiry notAfter={notAfter} /> },
    { key: 'where', title: t('columns.where'), cell: (certificate) => <Where certificate={certificate} /> },
    {
      key: 'checked',
      title: t('columns.checked'),
      cell: ({ checkedAt }) => (checkedAt ? dateAndMinute(checkedAt) : t('notYet')),
    },
  ]
  return <DataTable caption={t('caption')} columns={columns} rows={certificates} rowKey={({ id }) => id} />
}

/** When a certificate expires, and in how many days. */
function Expiry({ notAfter }: { notAfter: string }) {
  const { date, inDays } = useFormats()
  const now = useNow(60_000)
  return (
    <span className={parts.stack}>
      <span className={parts.nowrap}>{date(notAfter)}</span>
      <span className={parts.small}>{inDays(daysUntil(notAfter, now))}</span>
    </span>
  )
}

/** The vault, or the workstation or the server's token by its name. */
function Where({ certificate: { custody, workstation, token, pin } }: { certificate: Certificate }) {
  const { t } = useTranslation(['sessions', 'sessions-certificates'])
  return (
    <span className={parts.stack}>
      <span>{t(`custody.${custody}`)}</span>
      {workstation && <span className={parts.small}>{workstation.name}</span>}
      {token && <span className={parts.small}>{token}</span>}
      {pin === 'missing' && <span className={parts.small}>{t('sessions-certificates:pinMissing')}</span>}
    </span>
  )
}
