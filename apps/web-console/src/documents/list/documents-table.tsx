import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Chip } from '../../shared/parts/chip.tsx'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import type { DocumentItem } from '../api/types.ts'
import { StatusChip } from '../parts/status-chip.tsx'
import classes from './list.module.css'

/** A page of the list. */
export function DocumentsTable({ documents }: { documents: readonly DocumentItem[] }) {
  const { t } = useTranslation('documents-list')
  const { dateAndMinute } = useFormats()
  const columns: readonly Column<DocumentItem>[] = [
    { key: 'name', title: t('columns.name'), isHeader: true, cell: (document) => <Name document={document} /> },
    { key: 'status', title: t('columns.status'), cell: (document) => <Status document={document} /> },
    {
      key: 'waiting',
      title: t('columns.waiting'),
      cell: ({ status, pendingParticipants }) => (status === 'Pending' && pendingParticipants.join(', ')) || '–',
    },
    { key: 'folder', title: t('columns.folder'), cell: ({ folder }) => folder?.name ?? '–' },
    { key: 'updated', title: t('columns.updated'), cell: ({ updateDate }) => dateAndMinute(updateDate) },
  ]
  return <DataTable caption={t('caption')} columns={columns} rows={documents} rowKey={({ id }) => id} />
}

function Name({ document: { id, name, tags, createdBy } }: { document: DocumentItem }) {
  const { t } = useTranslation('documents-list')
  return (
    <>
      <Link to="/documents/$id" params={{ id }}>
        {name}
      </Link>
      <span className={classes.creator}>{t('createdBy', { name: createdBy.name })}</span>
      {tags.length > 0 && (
        <span className={classes.tags}>
          {tags.map((tag) => (
            <Chip key={tag.id} tone="plain">
              {tag.label ? `${tag.label}: ${tag.value}` : tag.value}
            </Chip>
          ))}
        </span>
      )}
    </>
  )
}

function Status({ document: { status, expirationDate } }: { document: DocumentItem }) {
  const { t } = useTranslation('documents-list')
  const { dateAndMinute } = useFormats()
  return (
    <span className={classes.status}>
      <StatusChip status={status} />
      {status === 'Pending' && expirationDate && (
        <span className={classes.small}>{t('expires', { date: dateAndMinute(expirationDate) })}</span>
      )}
    </span>
  )
}
