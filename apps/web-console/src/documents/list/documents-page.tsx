import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { FilePlus2, Files, FolderOpen, SearchX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { PageState } from '../../shared/feedback/page-state.tsx'
import { useFormats } from '../../shared/format/use-formats.ts'
import { LinkButton } from '../../shared/parts/link-button.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Paging } from '../../shared/parts/paging.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { documentsQuery } from '../api/documents.ts'
import { useRights } from '../parts/rights.ts'
import { useFolders } from '../parts/use-folders.ts'
import { DOCUMENTS_PER_PAGE, type DocumentFilters, isNarrowed, WITHOUT_FOLDER } from './document-filters.ts'
import { DocumentsTable } from './documents-table.tsx'
import { FilterBar } from './filter-bar.tsx'
import { FolderPanel } from './folder-panel.tsx'
import { pathTo } from './folder-tree.ts'
import classes from './list.module.css'

/** Documents of the organization, by folder and by filters in the URL. */
export function DocumentsPage() {
  const { t } = useTranslation('documents-list')
  const filters = useSearch({ from: '/shell/documents' })
  const navigate = useNavigate()
  const query = useQuery(documentsQuery(filters))
  const change = (search: DocumentFilters) => void navigate({ to: '/documents', search })
  return (
    <>
      <PageHead title={t('title')} lead={<FolderPath filters={filters} />}>
        <NewDocument filters={filters} />
      </PageHead>
      <div className={classes.columns}>
        <FolderPanel filters={filters} onChange={change} />
        <div className={classes.list}>
          <FilterBar key={JSON.stringify(filters)} filters={filters} onChange={change} />
          <Queried query={query}>
            {({ items }) =>
              items.length === 0 ? (
                <Nothing filters={filters} onClear={() => change(filters.folder ? { folder: filters.folder } : {})} />
              ) : (
                <>
                  <DocumentsTable documents={items.slice(0, DOCUMENTS_PER_PAGE)} />
                  <Pages filters={filters} shown={items.length} onChange={change} />
                </>
              )
            }
          </Queried>
        </div>
      </div>
    </>
  )
}

function NewDocument({ filters: { folder } }: { filters: DocumentFilters }) {
  const { t } = useTranslation('documents-list')
  const { may } = useRights()
  if (!may('documents.create')) return null
  const search = folder && folder !== WITHOUT_FOLDER ? { folder } : {}
  return (
    <LinkButton to="/documents/new" search={search} leftSection={<FilePlus2 size={16} aria-hidden="true" />}>
      {t('new')}
    </LinkButton>
  )
}

/** The path of the folder that is shown. */
function FolderPath({ filters: { folder } }: { filters: DocumentFilters }) {
  const { t } = useTranslation('documents-list')
  const { folders } = useFolders()
  if (folder === undefined) return t('folders.all')
  if (folder === WITHOUT_FOLDER) return t('folders.without')
  return pathTo(folders, folder)
    .map(({ name }) => name)
    .join(' / ')
}

/** Previous and next page: long lists carry no total. */
function Pages(props: { filters: DocumentFilters; shown: number; onChange: (filters: DocumentFilters) => void }) {
  const { t } = useTranslation('documents-list')
  const { count } = useFormats()
  const { filters, shown, onChange } = props
  const { page = 1, ...others } = filters
  const hasMore = shown > DOCUMENTS_PER_PAGE
  const first = (page - 1) * DOCUMENTS_PER_PAGE + 1
  return (
    <Paging
      onPrevious={page > 1 ? () => onChange({ ...others, ...(page > 2 && { page: page - 1 }) }) : undefined}
      onNext={hasMore ? () => onChange({ ...others, page: page + 1 }) : undefined}
    >
      {t('range', { from: count(first), to: count(first + Math.min(shown, DOCUMENTS_PER_PAGE) - 1) })}
    </Paging>
  )
}

function Nothing({ filters, onClear }: { filters: DocumentFilters; onClear: () => void }) {
  const { t } = useTranslation('documents-list')
  const { may } = useRights()
  if (isNarrowed(filters))
    return (
      <PageState
        icon={SearchX}
        title={t('empty.filtered')}
        action={
          <Button variant="default" onClick={onClear}>
            {t('empty.clear')}
          </Button>
        }
      >
        {t('empty.filteredText')}
      </PageState>
    )
  if (filters.folder)
    return (
      <PageState icon={FolderOpen} title={t('empty.folder')}>
        {may('documents.create') && t('empty.folderText')}
      </PageState>
    )
  return (
    <PageState icon={Files} title={t('empty.title')} action={<NewDocument filters={filters} />}>
      {t(may('documents.create') ? 'empty.text' : 'empty.readerText')}
    </PageState>
  )
}
