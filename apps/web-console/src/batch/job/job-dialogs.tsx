import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { cancelJob, deleteJob } from '../api/actions.ts'

interface NamedJob {
  readonly id: string
  readonly fileName: string
}

/** Asks before a job and its files are removed. */
export function DeleteJobDialog(props: { job: NamedJob; onClose: () => void; onDeleted?: () => void }) {
  const { t } = useTranslation('batch-job')
  const { job } = props
  const remove = useAction(
    (reason: string | undefined) => deleteJob(job.id, reason),
    ({ removed, kept }) => t('deleted', { name: job.fileName, removed: removed.length, kept: kept.length }),
  )
  return (
    <ConfirmDialog
      title={t('deleteTitle', { name: job.fileName })}
      confirm={t('delete')}
      danger
      withReason
      onConfirm={(reason) => remove.attempt(reason).then(() => props.onDeleted?.())}
      onClose={props.onClose}
    >
      {t('deleteText')}
    </ConfirmDialog>
  )
}

/** Asks before a waiting job is canceled. */
export function CancelJobDialog({ job, onClose }: { job: NamedJob; onClose: () => void }) {
  const { t } = useTranslation('batch-job')
  const cancel = useAction(
    (reason: string | undefined) => cancelJob(job.id, reason),
    () => t('canceled', { name: job.fileName }),
  )
  return (
    <ConfirmDialog
      title={t('cancelTitle', { name: job.fileName })}
      confirm={t('cancel')}
      withReason
      onConfirm={cancel.attempt}
      onClose={onClose}
    >
      {t('cancelText')}
    </ConfirmDialog>
  )
}
