import { Button } from '@mantine/core'
import { Ban, FileArchive, RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { download } from '../../shared/api/download.ts'
import { useCodeText } from '../../shared/bundle.ts'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { Dialog } from '../../shared/parts/dialog.tsx'
import { useNotices } from '../../shared/parts/notices.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { actOnJobs, type BulkAction } from '../api/actions.ts'
import type { BulkResult, JobItem } from '../api/types.ts'
import { visibleName } from '../parts/visible-name.ts'
import { isCancelable, isInFlight } from './job-states.ts'
import classes from './jobs.module.css'

/** Most jobs one ZIP holds. */
const MAX_ARCHIVE = 50

const actions = [
  { name: 'retry', icon: RotateCcw, fits: ({ status }: JobItem) => status === 'Failed' },
  { name: 'cancel', icon: Ban, fits: ({ status }: JobItem) => isCancelable(status) },
  { name: 'delete', icon: Trash2, fits: ({ status }: JobItem) => !isInFlight(status) },
] as const

interface BulkOrder {
  readonly action: BulkAction
  readonly ids: readonly string[]
  readonly reason: string | undefined
}

/** The actions for the selected jobs: each button counts the jobs it applies to, and skips the others. */
export function BulkBar({ jobs, onDone }: { jobs: readonly JobItem[]; onDone: () => void }) {
  const { t } = useTranslation('batch-jobs')
  const [asking, setAsking] = useState<BulkAction>()
  const [failures, setFailures] = useState<readonly FailedJob[]>([])
  const act = useAction(
    ({ action, ids, reason }: BulkOrder) => actOnJobs(action, ids, reason),
    (results) => t('bulk.done', { done: results.filter(({ ok }) => ok).length, all: results.length }),
  )
  const { failed } = useNotices()
  const idsFor = (name: BulkAction) =>
    jobs.filter(actions.find((action) => action.name === name)!.fits).map(({ id }) => id)
  const completed = jobs.filter(({ status }) => status === 'Completed').slice(0, MAX_ARCHIVE)

  async function confirm(action: BulkAction, reason: string | undefined) {
    const results = await act.attempt({ action, ids: idsFor(action), reason })
    setFailures(failuresAmong(results, jobs))
    onDone()
  }

  return (
    <>
      <div
        className={classes.bulk}
        data-empty={jobs.length === 0 || undefined}
        role="toolbar"
        aria-label={t('bulk.label')}
      >
        <span className={classes.bulkCount} aria-live="polite">
          {t('bulk.selected', { count: jobs.length })}
        </span>
        <Button
          variant="default"
          size="xs"
          disabled={completed.length === 0}
          leftSection={<FileArchive size={14} aria-hidden="true" />}
          onClick={() => void download(archiveOf(completed)).catch(failed)}
        >
          {t('bulk.zip', { count: completed.length })}
        </Button>
        {actions.map(({ name, icon: Icon }) => (
          <Button
            key={name}
            variant="default"
            size="xs"
            disabled={idsFor(name).length === 0}
            leftSection={<Icon size={14} aria-hidden="true" />}
            onClick={() => setAsking(name)}
          >
            {t(`bulk.${name}`, { count: idsFor(name).length })}
          </Button>
        ))}
      </div>
      {asking && (
        <ConfirmDialog
          title={t(`bulk.${asking}Title`, { count: idsFor(asking).length })}
          confirm={t(`bulk.${asking}`, { count: idsFor(asking).length })}
          danger={asking === 'delete'}
          withReason={asking !== 'retry'}
          onConfirm={(reason) => confirm(asking, reason)}
          onClose={() => setAsking(undefined)}
        >
          {t(`bulk.${asking}Text`)}
        </ConfirmDialog>
      )}
      {failures.length > 0 && <FailuresDialog failures={failures} onClose={() => setFailures([])} />}
    </>
  )
}

const archiveOf = (jobs: readonly JobItem[]) =>
  `/api/jobs/archive?${new URLSearchParams(jobs.map(({ id }) => ['id', id]))}`

interface FailedJob {
  readonly id: string
  readonly fileName: string
  readonly code: string
}

function failuresAmong(results: readonly BulkResult[], jobs: readonly JobItem[]): readonly FailedJob[] {
  return results
    .filter(({ ok }) => !ok)
    .map(({ id, code = 'internal' }) => ({ id, code, fileName: jobs.find((job) => job.id === id)?.fileName ?? id }))
}

function FailuresDialog({ failures, onClose }: { failures: readonly FailedJob[]; onClose: () => void }) {
  const { t } = useTranslation('batch-jobs')
  const { explain } = useCodeText()
  return (
    <Dialog title={t('bulk.failuresTitle', { count: failures.length })} onClose={onClose}>
      <ul className={classes.failures}>
        {failures.map(({ id, fileName, code }) => (
          <li key={id}>
            <strong>{visibleName(fileName)}</strong>
            <span>
              {explain(code)} <code>{code}</code>
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
