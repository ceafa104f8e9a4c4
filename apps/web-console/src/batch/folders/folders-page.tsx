import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FolderPlus, FolderSearch, FolderX } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageState } from '../../shared/feedback/page-state.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { rescan } from '../api/actions.ts'
import { foldersQuery } from '../api/queries.ts'
import type { Rescan } from '../api/types.ts'
import { FolderCard } from './folder-card.tsx'
import { FolderDialog } from './folder-dialog.tsx'
import classes from './folders.module.css'
import { RescanResult } from './rescan-result.tsx'

/** The watched folders and what goes on in each. */
export function FoldersPage() {
  const { t } = useTranslation('batch-folders')
  const folders = useQuery(foldersQuery)
  const [result, setResult] = useState<Rescan>()
  const [adding, setAdding] = useState(false)
  const scan = useAction(rescan, ({ folders: scanned }) =>
    t('rescanned', { count: scanned.reduce((sum, { enqueued }) => sum + enqueued, 0) }),
  )
  const run = async (folder: string | undefined) => setResult(await scan.run(folder))
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')}>
        <Button
          variant="default"
          disabled={!folders.data}
          leftSection={<FolderPlus size={16} aria-hidden="true" />}
          onClick={() => setAdding(true)}
        >
          {t('form.add')}
        </Button>
        <Button
          loading={scan.busy}
          leftSection={<FolderSearch size={16} aria-hidden="true" />}
          onClick={() => void run(undefined)}
        >
          {t('rescanAll')}
        </Button>
      </PageHead>
      {adding && folders.data && <FolderDialog list={folders.data} onClose={() => setAdding(false)} />}
      {result && <RescanResult result={result} />}
      <Queried query={folders}>
        {(list) =>
          list.folders.length === 0 ? (
            <PageState icon={FolderX} title={t('none')}>
              {t('noneText')}
            </PageState>
          ) : (
            <ul className={classes.folders}>
              {list.folders.map((folder) => (
                <FolderCard
                  key={folder.name}
                  folder={folder}
                  list={list}
                  busy={scan.busy}
                  onRescan={() => void run(folder.name)}
                />
              ))}
            </ul>
          )
        }
      </Queried>
    </>
  )
}
