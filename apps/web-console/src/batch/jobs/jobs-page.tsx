import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { FileSpreadsheet, Inbox, SearchX, Upload } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { downloadOnce } from '../../shared/api/download.ts'
import { PageState } from '../../shared/feedback/page-state.tsx'
import { useNotices } from '../../shared/parts/notices.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { jobsQuery } from '../api/queries.ts'
import type { JobItem, Page } from '../api/types.ts'
import { DeleteJobDialog } from '../job/job-dialogs.tsx'
import { Paging } from '../parts/paging.tsx'
import { UploadDialog } from '../upload/upload-dialog.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { FailuresPanel } from './failures-panel.tsx'
import { FilterBar } from './filter-bar.tsx'
import { exportQuery, isFiltered, type JobFilters } from './job-filters.ts'
import { JobsTable } from './jobs-table.tsx'

/** All jobs, with filters in the URL, so that a view can be shared. */
export function JobsPage() {
  const { t } = useTranslation('batch-jobs')
  const filters = useSearch({ from: '/shell/jobs' })
  const navigate = useNavigate()
  const setFilters = (next: JobFilters) => void navigate({ to: '/jobs', search: next })
  const [uploading, setUploading] = useState(false)
  const jobs = useQuery(jobsQuery(filters))
  return (
    <>
      <PageHead title={t('title')}>
        <ExportButton filters={filters} />
        <Button leftSection={<Upload size={16} aria-hidden="true" />} onClick={() => setUploading(true)}>
          {t('upload')}
        </Button>
      </PageHead>
      <FailuresPanel />
      <FilterBar filters={filters} onChange={setFilters} />
      <Panel title={t('list')}>
        <Queried query={jobs} lines={10}>
          {(page) => (
            <JobList
              // The selection is reset when the filters change.
              key={JSON.stringify(filters)}
              page={page}
              filters={filters}
              onFilters={setFilters}
              onUpload={() => setUploading(true)}
            />
          )}
        </Queried>
      </Panel>
      {uploading && <UploadDialog onClose={() => setUploading(false)} />}
    </>
  )
}

function JobList(props: {
  page: Page<JobItem>
  filters: JobFilters
  onFilters: (filters: JobFilters) => void
  onUpload: () => void
}) {
  const { t } = useTranslation('batch-jobs')
  const { page, filters, onFilters } = props
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [deleting, setDeleting] = useState<JobItem>()
  useEffect(() => setSelected((ids) => stillListed(ids, page.items)), [page.items])
  if (page.items.length === 0)
    return (
      <Nothing
        filtered={isFiltered(filters) || page.page > 1}
        onClear={() => onFilters({})}
        onUpload={props.onUpload}
      />
    )
  return (
    <>
      <BulkBar jobs={page.items.filter(({ id }) => selected.has(id))} onDone={() => setSelected(new Set())} />
      <JobsTable
        jobs={page.items}
        caption={t('list')}
        selection={{ ids: selected, onChange: setSelected }}
        onDelete={setDeleting}
      />
      <Paging {...page} onPage={(next) => onFilters({ ...filters, page: next })} />
      {deleting && <DeleteJobDialog job={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  )
}

function stillListed(ids: ReadonlySet<string>, jobs: readonly JobItem[]): ReadonlySet<string> {
  const listed = jobs.filter(({ id }) => ids.has(id)).map(({ id }) => id)
  return listed.length === ids.size ? ids : new Set(listed)
}

function Nothing({ filtered, onClear, onUpload }: { filtered: boolean; onClear: () => void; onUpload: () => void }) {
  const { t } = useTranslation('batch-jobs')
  return filtered ? (
    <PageState icon={SearchX} title={t('noMatch')} action={<Button onClick={onClear}>{t('filters.clear')}</Button>}>
      {t('noMatchText')}
    </PageState>
  ) : (
    <PageState icon={Inbox} title={t('none')} action={<Button onClick={onUpload}>{t('upload')}</Button>}>
      {t('noneText')}
    </PageState>
  )
}

function ExportButton({ filters }: { filters: JobFilters }) {
  const { t } = useTranslation('batch-jobs')
  const { failed } = useNotices()
  const [busy, setBusy] = useState(false)
  async function run() {
    setBusy(true)
    await downloadOnce(`/api/jobs/export?${exportQuery(filters)}`, 'jobs.xlsx').catch(failed)
    setBusy(false)
  }
  return (
    <Button
      variant="default"
      loading={busy}
      leftSection={<FileSpreadsheet size={16} aria-hidden="true" />}
      onClick={() => void run()}
    >
      {t('export')}
    </Button>
  )
}
