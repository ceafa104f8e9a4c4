import { Button, NativeSelect } from '@mantine/core'
import { CircleCheck, CircleX, Clock, History, type LucideIcon, RotateCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Chip, type Tone } from '../../shared/parts/chip.tsx'
import type { Column } from '../../shared/parts/data-table.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { TechnicalDetail } from '../../shared/parts/technical-detail.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { act } from '../api/items.ts'
import { type Restamp, restampStatuses } from '../api/types.ts'
import { useListSearch } from '../parts/list-search.ts'
import { ListView } from '../parts/list-view.tsx'
import classes from '../parts/parts.module.css'
import { useRights } from '../parts/rights.ts'

const looks: Readonly<Record<Restamp['status'], { icon: LucideIcon; tone: Tone }>> = {
  Scheduled: { icon: Clock, tone: 'busy' },
  Applied: { icon: CircleCheck, tone: 'good' },
  ApplyingError: { icon: CircleX, tone: 'bad' },
}

/** Archive timestamps that are renewed before they end: planned, done or failed. */
export function RestampsPage() {
  const { t } = useTranslation('credentials-restamps')
  const { date, dateAndMinute } = useFormats()
  const columns: readonly Column<Restamp>[] = [
    {
      key: 'document',
      title: t('document'),
      isHeader: true,
      cell: ({ documentType, identifier }) => (
        <span className={classes.stack}>
          {t(`documents.${documentType}`)}
          <span className={classes.small}>{identifier}</span>
        </span>
      ),
    },
    { key: 'expires', title: t('expires'), cell: ({ archivingExpiringDate }) => date(archivingExpiringDate) },
    { key: 'date', title: t('date'), cell: (restamp) => dateAndMinute(restamp.date) },
    { key: 'status', title: t('state'), cell: (restamp) => <State restamp={restamp} /> },
    { key: 'retry', title: t('retry'), quiet: true, cell: (restamp) => <Retry restamp={restamp} /> },
  ]
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')} />
      <ListView
        resource="restamps"
        caption={t('title')}
        columns={columns}
        hasText={false}
        filters={<StatusFilter />}
        empty={{ icon: History, title: t('empty'), text: t('emptyText') }}
      />
    </>
  )
}

function State({ restamp: { status, errorReason } }: { restamp: Restamp }) {
  const { t } = useTranslation('credentials-restamps')
  return (
    <span className={classes.stack}>
      <Chip {...looks[status]}>{t(`status.${status}`)}</Chip>
      {errorReason && <TechnicalDetail>{errorReason}</TechnicalDetail>}
    </span>
  )
}

/** One that failed is tried again now, not only tomorrow. */
function Retry({ restamp: { id, status, identifier } }: { restamp: Restamp }) {
  const { t } = useTranslation('credentials-restamps')
  const manages = useRights().may('restamps.manage')
  const { run, busy } = useAction(
    () => act('restamps', id, 'retry'),
    () => t('retried'),
  )
  if (!manages || status !== 'ApplyingError') return null
  return (
    <Button
      variant="default"
      size="xs"
      loading={busy}
      aria-label={`${t('retry')}: ${identifier}`}
      leftSection={<RotateCw size={14} aria-hidden="true" />}
      onClick={() => void run(undefined)}
    >
      {t('retry')}
    </Button>
  )
}

function StatusFilter() {
  const { t } = useTranslation(['credentials-restamps', 'credentials'])
  const { search } = useListSearch()
  return (
    <NativeSelect
      name="status"
      label={t('state')}
      defaultValue={search.status ?? ''}
      data={[
        { value: '', label: t('credentials:all') },
        ...restampStatuses.map((value) => ({ value, label: t(`status.${value}`) })),
      ]}
    />
  )
}
