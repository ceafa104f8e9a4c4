import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import type { Rescan, RescannedFolder } from '../api/types.ts'
import { visibleName } from '../parts/visible-name.ts'
import classes from './folders.module.css'

const counts = ['scanned', 'enqueued', 'alreadyActive', 'alreadyProcessed', 'ignored', 'errors'] as const

/** What a rescan found, folder by folder. */
export function RescanResult({ result }: { result: Rescan }) {
  const { t } = useTranslation('batch-folders')
  const { count } = useFormats()
  const columns: Column<RescannedFolder>[] = [
    {
      key: 'name',
      title: t('folder'),
      isHeader: true,
      cell: ({ name, unassigned }) => (unassigned ? `${name} (${t('status.Unassigned')})` : name),
    },
    ...counts.map((key) => ({
      key,
      title: t(`counts.${key}`),
      numeric: true,
      cell: (folder: RescannedFolder) => count(folder[key]),
    })),
  ]
  const taken = result.folders.flatMap(({ enqueuedFiles }) => enqueuedFiles)
  return (
    <Panel title={t('resultTitle')}>
      <DataTable caption={t('resultTitle')} columns={columns} rows={result.folders} rowKey={({ name }) => name} />
      {taken.length > 0 && (
        <details>
          <summary>{t('takenFiles', { count: taken.length })}</summary>
          <ul className={classes.taken}>
            {taken.map((name) => (
              <li key={name}>
                <code>{visibleName(name)}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Panel>
  )
}
