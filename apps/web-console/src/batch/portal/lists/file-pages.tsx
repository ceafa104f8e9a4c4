import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Paging } from '../../parts/paging.tsx'
import type { PortalListName, PortalRow } from '../api/portal-types.ts'
import { FilesTable } from './files-table.tsx'
import { SelectionBar } from './selection-bar.tsx'

/** More rows than this are tiring on a phone. */
const FILES_PER_PAGE = 25

interface FilePagesProps {
  list: PortalListName
  files: readonly PortalRow[]
  onApprove: (files: readonly PortalRow[]) => void
}

/** The files of a list, in pages; those that need the caller can be approved together, across pages. */
export function FilePages({ list, files, onApprove }: FilePagesProps) {
  const { t } = useTranslation('batch-portal')
  const [asked, setPage] = useState(1)
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  // A list that got shorter meanwhile has fewer pages.
  const page = Math.min(asked, Math.ceil(files.length / FILES_PER_PAGE))
  const shown = files.slice((page - 1) * FILES_PER_PAGE, page * FILES_PER_PAGE)
  const selected = files.filter(({ jobId }) => ids.has(jobId))
  const canSelect = list === 'needs-you'
  return (
    <>
      {canSelect && <SelectionBar files={selected} onApprove={() => onApprove(selected)} />}
      <FilesTable
        caption={t(`lists.${list}`)}
        list={list}
        files={shown}
        {...(canSelect && { selection: { ids, onChange: setIds } })}
      />
      {files.length > FILES_PER_PAGE && (
        <Paging page={page} pageSize={FILES_PER_PAGE} totalCount={files.length} onPage={setPage} />
      )}
    </>
  )
}
