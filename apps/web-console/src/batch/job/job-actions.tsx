import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Ban, Download, RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { download } from '../../shared/api/download.ts'
import { useNotices } from '../../shared/parts/notices.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { retryJob } from '../api/actions.ts'
import type { JobDetail } from '../api/types.ts'
import { isCancelable, isInFlight } from '../jobs/job-states.ts'
import { CancelJobDialog, DeleteJobDialog } from './job-dialogs.tsx'

/** What can be done with the job in its state. */
export function JobActions({ job, onDeleted }: { job: JobDetail; onDeleted: () => void }) {
  const { t } = useTranslation('batch-job')
  const navigate = useNavigate()
  const { failed } = useNotices()
  const [asking, setAsking] = useState<'cancel' | 'delete'>()
  const retry = useAction(retryJob, () => t('retried', { name: job.fileName }))

  async function retryAndFollow() {
    const answer = await retry.run(job.id)
    if (answer) await navigate({ to: '/jobs/$id', params: { id: answer.newJobId } })
  }

  return (
    <>
      {job.status === 'Completed' && (
        <Button
          leftSection={<Download size={16} aria-hidden="true" />}
          onClick={() => void download(`/api/jobs/${job.id}/output`).catch(failed)}
        >
          {t('download')}
        </Button>
      )}
      {job.status === 'Failed' && (
        <Button
          leftSection={<RotateCcw size={16} aria-hidden="true" />}
          loading={retry.busy}
          onClick={() => void retryAndFollow()}
        >
          {t('retry')}
        </Button>
      )}
      {isCancelable(job.status) && (
        <Button
          variant="default"
          leftSection={<Ban size={16} aria-hidden="true" />}
          onClick={() => setAsking('cancel')}
        >
          {t('cancel')}
        </Button>
      )}
      {!isInFlight(job.status) && (
        <Button
          variant="default"
          leftSection={<Trash2 size={16} aria-hidden="true" />}
          onClick={() => setAsking('delete')}
        >
          {t('delete')}
        </Button>
      )}
      {asking === 'cancel' && <CancelJobDialog job={job} onClose={() => setAsking(undefined)} />}
      {asking === 'delete' && <DeleteJobDialog job={job} onClose={() => setAsking(undefined)} onDeleted={onDeleted} />}
    </>
  )
}
