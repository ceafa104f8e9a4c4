import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Upload } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { LinkButton } from '../../shared/parts/link-button.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { type BatchResource, batchResources, latestQuery } from '../api/batches.ts'
import type { Batch } from '../api/types.ts'
import { useInstituteName } from '../parts/institute-select.tsx'
import { BatchStatusChip } from './batch-status-chip.tsx'

/** Files that were imported, by what they made. */
export function BatchesPage() {
  const { t } = useTranslation('credentials-batches')
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')}>
        <LinkButton to="/batches/new" leftSection={<Upload size={16} aria-hidden="true" />}>
          {t('new')}
        </LinkButton>
      </PageHead>
      {batchResources.map((resource) => (
        <LatestPanel key={resource} resource={resource} />
      ))}
    </>
  )
}

function LatestPanel({ resource }: { resource: BatchResource }) {
  const { t } = useTranslation(['credentials-batches', 'credentials-items', 'credentials'])
  const { dateAndMinute, count } = useFormats()
  const nameOf = useInstituteName()
  const query = useQuery(latestQuery(resource))
  const title = t(`credentials-items:kind.${resource}.title`)
  const columns: readonly Column<Batch>[] = [
    {
      key: 'sent',
      title: t('sent'),
      isHeader: true,
      cell: ({ id, creationDate }) => (
        <Link to="/batches/$resource/$id" params={{ resource, id }}>
          {dateAndMinute(creationDate)}
        </Link>
      ),
    },
    { key: 'ies', title: t('credentials:institute'), cell: ({ instituteId }) => nameOf(instituteId) },
    { key: 'rows', title: t('rows'), numeric: true, cell: ({ rows }) => count(rows) },
    { key: 'done', title: t('done'), numeric: true, cell: ({ done }) => count(done) },
    { key: 'failed', title: t('failed'), numeric: true, cell: ({ failed }) => count(failed) },
    { key: 'status', title: t('state'), cell: (batch) => <BatchStatusChip batch={batch} /> },
  ]
  return (
    <Panel title={title}>
      <Queried query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <p>{t('none')}</p>
          ) : (
            <DataTable caption={title} columns={columns} rows={items} rowKey={({ id }) => id} />
          )
        }
      </Queried>
    </Panel>
  )
}
