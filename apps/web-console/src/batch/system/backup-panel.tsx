import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Ban, CircleCheck, CircleX, DatabaseBackup, Loader, type LucideIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Chip, type Tone } from '../../shared/parts/chip.tsx'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { Facts } from '../../shared/parts/facts.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { TechnicalDetail } from '../../shared/parts/technical-detail.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { cancelBackup, startBackup } from '../api/actions.ts'
import { backupQuery } from '../api/queries.ts'
import type { BackupRun, BackupView } from '../api/types.ts'
import classes from './system.module.css'

/** Polling interval of the progress while a backup runs. */
const PROGRESS_MS = 1000

/** Backups of the store: start one, its progress, and the results of the last ones. */
export function BackupPanel() {
  const { t } = useTranslation('batch-system')
  const backup = useQuery({
    ...backupQuery,
    refetchInterval: ({ state }) => (state.data?.running ? PROGRESS_MS : false),
  })
  return (
    <Panel title={t('backup.title')} actions={backup.data && <BackupButtons view={backup.data} />}>
      <Queried query={backup} lines={4}>
        {(view) => <BackupContent view={view} />}
      </Queried>
    </Panel>
  )
}

function BackupButtons({ view }: { view: BackupView }) {
  const { t } = useTranslation('batch-system')
  const start = useAction(startBackup, () => t('backup.startedNotice'))
  const cancel = useAction(cancelBackup, () => t('backup.canceledNotice'))
  if (!view.supported || !view.enabled) return null
  return view.running ? (
    <Button
      variant="default"
      size="xs"
      loading={cancel.busy}
      leftSection={<Ban size={14} aria-hidden="true" />}
      onClick={() => void cancel.run(undefined)}
    >
      {t('backup.cancel')}
    </Button>
  ) : (
    <Button
      variant="default"
      size="xs"
      loading={start.busy}
      leftSection={<DatabaseBackup size={14} aria-hidden="true" />}
      onClick={() => void start.run(undefined)}
    >
      {t('backup.run')}
    </Button>
  )
}

function BackupContent({ view }: { view: BackupView }) {
  const { t } = useTranslation('batch-system')
  const { dateAndTime, percent } = useFormats()
  if (!view.supported) return <p>{t('backup.unsupported')}</p>
  if (!view.enabled) return <p>{t('backup.disabled')}</p>
  return (
    <>
      {view.running && (
        <div className={classes.running}>
          <p role="status">{t('backup.running', { share: percent(view.running.progress) })}</p>
          <progress max={1} value={view.running.progress} aria-label={t('backup.title')} />
        </div>
      )}
      <Facts
        rows={[
          [t('backup.destination'), view.destination && <code>{view.destination}</code>],
          [
            t('backup.schedule'),
            view.intervalHours === null ? t('backup.byHand') : t('backup.every', { count: view.intervalHours }),
          ],
          [t('backup.nextDue'), view.nextDueAtUtc && dateAndTime(view.nextDueAtUtc)],
          [t('backup.lastSuccess'), view.lastSuccessAtUtc ? dateAndTime(view.lastSuccessAtUtc) : t('backup.never')],
          [
            t('backup.retained'),
            view.retainCount === 0 ? t('backup.retainAll') : t('backup.retain', { count: view.retainCount }),
          ],
        ]}
      />
      <p className={classes.hint}>{t('backup.keyHint')}</p>
      {view.runs.length > 0 && <Runs runs={view.runs} />}
    </>
  )
}

const looks: Readonly<Record<'Succeeded' | 'Failed' | 'Canceled' | 'Running', { icon: LucideIcon; tone: Tone }>> = {
  Succeeded: { icon: CircleCheck, tone: 'good' },
  Failed: { icon: CircleX, tone: 'bad' },
  Canceled: { icon: Ban, tone: 'plain' },
  Running: { icon: Loader, tone: 'busy' },
}

function Runs({ runs }: { runs: readonly BackupRun[] }) {
  const { t } = useTranslation('batch-system')
  const { dateAndTime, bytes, duration } = useFormats()
  const columns: Column<BackupRun>[] = [
    {
      key: 'started',
      title: t('backup.started'),
      isHeader: true,
      cell: ({ startedAtUtc }) => dateAndTime(startedAtUtc),
    },
    {
      key: 'result',
      title: t('backup.result'),
      cell: ({ result }) => <Chip {...looks[result ?? 'Running']}>{t(`backup.results.${result ?? 'Running'}`)}</Chip>,
    },
    {
      key: 'took',
      title: t('backup.took'),
      cell: ({ startedAtUtc, finishedAtUtc }) =>
        finishedAtUtc ? duration(Date.parse(finishedAtUtc) - Date.parse(startedAtUtc)) : '–',
    },
    { key: 'size', title: t('backup.size'), cell: ({ sizeBytes }) => (sizeBytes === null ? '–' : bytes(sizeBytes)) },
    {
      key: 'cause',
      title: t('backup.cause'),
      cell: ({ trigger, actor }) => `${t(`backup.triggers.${trigger}`)} (${actor})`,
    },
    {
      key: 'file',
      title: t('backup.file'),
      cell: ({ fileName, error }) =>
        error ? <TechnicalDetail>{error}</TechnicalDetail> : <code>{fileName ?? '–'}</code>,
    },
  ]
  return <DataTable caption={t('backup.history')} columns={columns} rows={runs} rowKey={({ id }) => id} />
}
