import { Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { PenLine } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../../shared/format/use-formats.ts'
import { Chip } from '../../../shared/parts/chip.tsx'
import { type Column, DataTable } from '../../../shared/parts/data-table.tsx'
import { StatusChip } from '../../parts/status-chip.tsx'
import { visibleName } from '../../parts/visible-name.ts'
import type { PortalListName, PortalRow } from '../api/portal-types.ts'
import { Deadline } from '../parts/deadline.tsx'
import { OwnDecision } from '../parts/own-decision.tsx'
import classes from './lists.module.css'

interface FilesTableProps {
  caption: string
  list: PortalListName
  files: readonly PortalRow[]
  /** When present, rows can be selected. */
  selection?: { ids: ReadonlySet<string>; onChange: (ids: ReadonlySet<string>) => void }
}

/** Files that wait or waited for the caller's decision. */
export function FilesTable({ caption, list, files, selection }: FilesTableProps) {
  const { t } = useTranslation('batch-portal')
  const { count } = useFormats()
  const words = { all: t('select.all'), one: (name: string) => t('select.one', { name }) }
  const columns: Column<PortalRow>[] = [
    ...(selection ? [tickColumn(files, selection, words)] : []),
    { key: 'file', title: t('columns.file'), isHeader: true, cell: (file) => <FileCell file={file} /> },
    {
      key: 'total',
      title: t('columns.total'),
      numeric: true,
      cell: ({ totalFormatted }) => totalFormatted ?? t('noFigures'),
    },
    {
      key: 'payments',
      title: t('columns.payments'),
      numeric: true,
      cell: ({ paymentCount }) => (paymentCount === null ? '–' : count(paymentCount)),
    },
    { key: 'approvals', title: t('columns.approvals'), cell: ({ tally }) => t('tally', { ...tally }) },
    ...(list === 'decided' ? [] : [deadlineColumn(t('columns.deadline'))]),
    ...(list === 'needs-you' ? [] : [ownColumn(t('columns.own'))]),
    ...(list === 'decided'
      ? [{ key: 'status', title: t('columns.status'), cell: ({ status }: PortalRow) => <Status status={status} /> }]
      : []),
  ]
  return (
    <DataTable
      caption={caption}
      columns={columns}
      rows={files}
      rowKey={({ jobId }) => jobId}
      {...(selection && { isSelected: ({ jobId }: PortalRow) => selection.ids.has(jobId) })}
    />
  )
}

const deadlineColumn = (title: string): Column<PortalRow> => ({
  key: 'deadline',
  title,
  cell: ({ expiresAt }) => <Deadline at={expiresAt} />,
})

const ownColumn = (title: string): Column<PortalRow> => ({
  key: 'own',
  title,
  cell: ({ ownDecision }) => <OwnDecision own={ownDecision} />,
})

function FileCell({ file: { jobId, fileName, payerName, signatureRequired, ownDecision } }: { file: PortalRow }) {
  const { t } = useTranslation('batch-portal')
  return (
    <>
      <Link to="/approve/$id" params={{ id: jobId }}>
        {visibleName(fileName)}
      </Link>
      {payerName && <span className={classes.payer}>{payerName}</span>}
      {signatureRequired && ownDecision === null && (
        <span className={classes.mark}>
          <Chip icon={PenLine} tone="plain">
            {t('bySigning')}
          </Chip>
        </span>
      )}
    </>
  )
}

function Status({ status }: { status: string | null }) {
  const { t } = useTranslation('batch-portal')
  return status === null ? t('deleted') : <StatusChip status={status} />
}

function tickColumn(
  files: readonly PortalRow[],
  { ids, onChange }: NonNullable<FilesTableProps['selection']>,
  words: { all: string; one: (name: string) => string },
): Column<PortalRow> {
  const ticked = files.filter(({ jobId }) => ids.has(jobId)).length
  const all = ticked === files.length
  return {
    key: 'tick',
    title: words.all,
    quiet: true,
    head: (
      <Checkbox
        label={words.all}
        classNames={{ label: classes.tickAll! }}
        checked={all}
        indeterminate={ticked > 0 && !all}
        onChange={() => onChange(withPage(ids, files, !all))}
      />
    ),
    cell: ({ jobId, fileName }) => (
      <Checkbox
        aria-label={words.one(fileName)}
        checked={ids.has(jobId)}
        onChange={() => onChange(withPage(ids, [{ jobId }], !ids.has(jobId)))}
      />
    ),
  }
}

/** The selection with these files in it, or without them; those of other pages stay. */
function withPage(
  ids: ReadonlySet<string>,
  files: readonly Pick<PortalRow, 'jobId'>[],
  isIn: boolean,
): ReadonlySet<string> {
  const next = new Set(ids)
  for (const { jobId } of files)
    if (isIn) next.add(jobId)
    else next.delete(jobId)
  return next
}
