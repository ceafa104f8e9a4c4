import { Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Download, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { download } from '../../shared/api/download.ts'
import { useCodeText } from '../../shared/bundle.ts'
import { useFormats } from '../../shared/format/use-formats.ts'
import { IconButton } from '../../shared/icon-button.tsx'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { useNotices } from '../../shared/parts/notices.tsx'
import type { JobItem } from '../api/types.ts'
import { ApprovalChip } from '../parts/approval-chip.tsx'
import { StatusChip } from '../parts/status-chip.tsx'
import { visibleName } from '../parts/visible-name.ts'
import { isInFlight } from './job-states.ts'
import classes from './jobs.module.css'
import { useWireNames } from './use-wire-names.ts'

export interface JobsTableProps {
  jobs: readonly JobItem[]
  caption: string
  /** When present, rows can be selected. */
  selection?: { ids: ReadonlySet<string>; onChange: (ids: ReadonlySet<string>) => void }
  onDelete?: (job: JobItem) => void
}

/** Jobs, newest first as the service lists them. */
export function JobsTable({ jobs, caption, selection, onDelete }: JobsTableProps) {
  const { t } = useTranslation('batch-jobs')
  const { dateAndTime } = useFormats()
  const names = useWireNames()
  const words = { all: t('tickAll'), one: (name: string) => t('tick', { name }) }
  const columns: Column<JobItem>[] = [
    ...(selection ? [tickColumn(jobs, selection, words)] : []),
    { key: 'file', title: t('columns.file'), isHeader: true, cell: (job) => <FileCell job={job} /> },
    { key: 'status', title: t('columns.status'), cell: (job) => <StatusCell job={job} /> },
    { key: 'format', title: t('columns.format'), cell: ({ format }) => names.format(format) },
    { key: 'profile', title: t('columns.profile'), cell: ({ profileName }) => profileName },
    { key: 'source', title: t('columns.source'), cell: ({ source }) => names.source(source) },
    { key: 'updated', title: t('columns.updated'), cell: ({ updatedAt }) => <Moment>{dateAndTime(updatedAt)}</Moment> },
    {
      key: 'actions',
      title: t('columns.actions'),
      quiet: true,
      cell: (job) => <RowButtons job={job} {...(onDelete && { onDelete })} />,
    },
  ]
  return (
    <DataTable
      caption={caption}
      columns={columns}
      rows={jobs}
      rowKey={({ id }) => id}
      {...(selection && { isSelected: ({ id }: JobItem) => selection.ids.has(id) })}
    />
  )
}

/** A time that does not wrap. */
const Moment = ({ children }: { children: string }) => <span className={classes.moment}>{children}</span>

function FileCell({ job }: { job: JobItem }) {
  const { explain } = useCodeText()
  return (
    <>
      <Link to="/jobs/$id" params={{ id: job.id }}>
        {visibleName(job.fileName)}
      </Link>
      {job.status === 'Failed' && (
        <span className={classes.why}>{job.errorMessage ?? (job.errorCode && explain(job.errorCode))}</span>
      )}
    </>
  )
}

function StatusCell({ job: { status, approval } }: { job: JobItem }) {
  return (
    <span className={classes.status}>
      <StatusChip status={status} />
      {approval && <ApprovalChip approval={approval} status={status} />}
    </span>
  )
}

function RowButtons({ job, onDelete }: { job: JobItem; onDelete?: (job: JobItem) => void }) {
  const { t } = useTranslation('batch-jobs')
  const { failed } = useNotices()
  return (
    <div className={classes.rowButtons}>
      {job.status === 'Completed' && (
        <IconButton
          icon={Download}
          label={t('downloadOf', { name: job.fileName })}
          onClick={() => void download(`/api/jobs/${job.id}/output`).catch(failed)}
        />
      )}
      {onDelete && !isInFlight(job.status) && (
        <IconButton icon={Trash2} label={t('deleteOf', { name: job.fileName })} onClick={() => onDelete(job)} />
      )}
    </div>
  )
}

function tickColumn(
  jobs: readonly JobItem[],
  { ids, onChange }: NonNullable<JobsTableProps['selection']>,
  words: { all: string; one: (name: string) => string },
): Column<JobItem> {
  const ticked = jobs.filter(({ id }) => ids.has(id)).length
  const all = ticked === jobs.length && jobs.length > 0
  return {
    key: 'tick',
    title: words.all,
    quiet: true,
    head: (
      <Checkbox
        size="xs"
        label={words.all}
        classNames={{ label: classes.tickAll! }}
        checked={all}
        indeterminate={ticked > 0 && !all}
        onChange={() => onChange(new Set(all ? [] : jobs.map(({ id }) => id)))}
      />
    ),
    cell: ({ id, fileName }) => (
      <Checkbox
        size="xs"
        aria-label={words.one(fileName)}
        checked={ids.has(id)}
        onChange={() => onChange(toggled(ids, id))}
      />
    ),
  }
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next
}
