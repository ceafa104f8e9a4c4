import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Ban, Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { Facts } from '../../shared/parts/facts.tsx'
import { useNotices } from '../../shared/parts/notices.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Paging } from '../../shared/parts/paging.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import {
  type BatchResource,
  batchesOf,
  batchResources,
  cancelBatch,
  failedRowsQuery,
  isUnderWay,
} from '../api/batches.ts'
import { save } from '../api/items.ts'
import { addressOf } from '../api/lists.ts'
import type { Batch, BatchRow } from '../api/types.ts'
import { BackLink } from '../parts/back-link.tsx'
import { useInstituteName } from '../parts/institute-select.tsx'
import { PageOfItem } from '../parts/page-of-item.tsx'
import { BatchStatusChip } from './batch-status-chip.tsx'
import own from './batches.module.css'
import { inLanguage } from './row-words.ts'

const resourceOf = (given: string | undefined): BatchResource =>
  batchResources.find((resource) => resource === given) ?? 'degrees'

/** One import: how far it is, what it made, and what is wrong with which row. */
export function BatchPage() {
  const { t } = useTranslation('credentials-batches')
  const { id = '', resource: given } = useParams({ strict: false }) as { id?: string; resource?: string }
  const resource = resourceOf(given)
  const back = <BackLink to="/batches">{t('title')}</BackLink>
  return (
    <PageOfItem<Batch>
      resource={batchesOf(resource)}
      id={id}
      title={t('one')}
      back={back}
      isMoving={isUnderWay}
      everyMs={1500}
    >
      {(batch) => (
        <>
          <PageHead title={t('one')} above={back} lead={<BatchStatusChip batch={batch} />}>
            {isUnderWay(batch) && <CancelButton resource={resource} id={id} />}
          </PageHead>
          <ProgressPanel resource={resource} batch={batch} />
          {batch.failed > 0 && <ErrorsPanel resource={resource} batch={batch} />}
        </>
      )}
    </PageOfItem>
  )
}

function ProgressPanel({ resource, batch }: { resource: BatchResource; batch: Batch }) {
  const { t } = useTranslation(['credentials-batches', 'credentials-items', 'credentials'])
  const { count, dateAndMinute } = useFormats()
  const nameOf = useInstituteName()
  return (
    <Panel title={t(`credentials-items:kind.${resource}.title`)}>
      <progress value={batch.progress} max={100} aria-label={t('progress')} className={own.progress!} />
      <Facts
        rows={[
          [t('rows'), count(batch.rows)],
          [t('done'), count(batch.done)],
          [t('failed'), count(batch.failed)],
          [t('credentials:institute'), nameOf(batch.instituteId)],
          [t('by'), batch.createdBy],
          [t('sent'), dateAndMinute(batch.creationDate)],
          [t('finished'), batch.finishDate && dateAndMinute(batch.finishDate)],
        ]}
      />
      {batch.done > 0 && (
        <p>
          <Link to={`/${resource}`} search={{ batchId: batch.id }}>
            {t('seeMade', { count: batch.done })}
          </Link>
        </p>
      )}
    </Panel>
  )
}

function ErrorsPanel({ resource, batch }: { resource: BatchResource; batch: Batch }) {
  const { t } = useTranslation('credentials-batches')
  const { failed } = useNotices()
  const [page, setPage] = useState(1)
  const query = useQuery(failedRowsQuery(resource, batch.id, page))
  const address = `${addressOf(batchesOf(resource), batch.id)}/errors`
  return (
    <Panel
      title={t('errors')}
      lead={t('errorsLead')}
      actions={
        <Button
          variant="default"
          size="xs"
          leftSection={<Download size={14} aria-hidden="true" />}
          onClick={() => void save(address, 'errors.csv').catch(failed)}
        >
          {t('saveErrors')}
        </Button>
      }
    >
      <Queried query={query}>
        {({ items, pageSize }) => (
          <>
            <ErrorTable rows={items} />
            <Pages page={page} pageSize={pageSize} shown={items.length} total={batch.failed} onPage={setPage} />
          </>
        )}
      </Queried>
    </Panel>
  )
}

function ErrorTable({ rows }: { rows: readonly BatchRow[] }) {
  const { t, i18n } = useTranslation('credentials-batches')
  const { count } = useFormats()
  const columns: readonly Column<BatchRow>[] = [
    { key: 'row', title: t('row'), isHeader: true, cell: ({ number }) => count(number) },
    {
      key: 'errors',
      title: t('wrong'),
      cell: ({ errors, code }) => (
        <ul className={own.errors!}>
          {errors.length === 0 && <li>{code}</li>}
          {errors.map(({ field, messages }) => (
            <li key={field}>
              <code>{field}</code> {messages.map((says) => inLanguage(says, i18n.language)).join(' ')}
            </li>
          ))}
        </ul>
      ),
    },
  ]
  return <DataTable caption={t('errors')} columns={columns} rows={rows} rowKey={({ number }) => number} />
}

interface PagesProps {
  page: number
  pageSize: number
  shown: number
  total: number
  onPage: (page: number) => void
}

function Pages({ page, pageSize, shown, total, onPage }: PagesProps) {
  const { t } = useTranslation('credentials')
  const { count } = useFormats()
  const from = (page - 1) * pageSize
  const hasNext = from + shown < total
  if (page === 1 && !hasNext) return null
  return (
    <Paging
      onPrevious={page > 1 ? () => onPage(page - 1) : undefined}
      onNext={hasNext ? () => onPage(page + 1) : undefined}
    >
      {t('rangeOf', { from: count(from + 1), to: count(from + shown), total: count(total) })}
    </Paging>
  )
}

function CancelButton({ resource, id }: { resource: BatchResource; id: string }) {
  const { t } = useTranslation('credentials-batches')
  const [asking, setAsking] = useState(false)
  const { attempt } = useAction(cancelBatch, () => t('canceled'))
  return (
    <>
      <Button variant="default" leftSection={<Ban size={16} aria-hidden="true" />} onClick={() => setAsking(true)}>
        {t('cancel')}
      </Button>
      {asking && (
        <ConfirmDialog
          title={t('cancel')}
          confirm={t('cancel')}
          danger
          onConfirm={() => attempt({ resource, id })}
          onClose={() => setAsking(false)}
        >
          {t('cancelText')}
        </ConfirmDialog>
      )}
    </>
  )
}
