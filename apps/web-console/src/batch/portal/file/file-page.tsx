import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { CircleCheck, CircleX, FileQuestion, PenLine } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { refusalCode } from '../../../shared/api/request.ts'
import { PageState } from '../../../shared/feedback/page-state.tsx'
import { PageHead } from '../../../shared/parts/page-head.tsx'
import { Queried } from '../../../shared/parts/queried.tsx'
import { visibleName } from '../../parts/visible-name.ts'
import { fileQuery } from '../api/portal-calls.ts'
import type { Approver, PortalFile, PortalRow } from '../api/portal-types.ts'
import { ApproveDialog } from '../approve/approve-dialog.tsx'
import { RejectDialog } from '../approve/reject-dialog.tsx'
import { everyOf, PortalPage } from '../frame/portal-page.tsx'
import { BackLink } from '../parts/back-link.tsx'
import classes from './file.module.css'
import { FileSummary, PaymentsOf, PoolPanel } from './file-panels.tsx'
import { DateNote, StandNote } from './stand-note.tsx'
import { StatedDecisionPage } from './stated-decision-page.tsx'

/** One file that waits or waited for approval. Without a session nothing of it is shown. */
export function FilePage() {
  const { id } = useParams({ from: '/approve/$id' })
  return (
    <PortalPage nobody={<StatedDecisionPage key={id} jobId={id} />}>
      {(approver) => <File key={id} approver={approver} jobId={id} />}
    </PortalPage>
  )
}

function File({ approver, jobId }: { approver: Approver; jobId: string }) {
  const { t } = useTranslation('batch-portal')
  // What is confirmed stands still: no news changes it while somebody decides.
  const [deciding, setDeciding] = useState<Deciding>()
  const file = useQuery({ ...fileQuery(jobId), refetchInterval: deciding ? false : everyOf(approver) })
  const close = () => setDeciding(undefined)
  if (refusalCode(file.error) === 'job.not-found')
    return (
      <PageState icon={FileQuestion} title={t('file.missing')} isPage action={<BackLink />}>
        {t('file.missingText')}
      </PageState>
    )
  return (
    <>
      <Queried query={file}>{(data) => <Shown file={data} onDecide={setDeciding} />}</Queried>
      {deciding?.decision === 'approve' && (
        <ApproveDialog approver={approver} files={[deciding.file]} onClose={close} />
      )}
      {deciding?.decision === 'reject' && <RejectDialog approver={approver} file={deciding.file} onClose={close} />}
    </>
  )
}

interface Deciding {
  readonly decision: 'approve' | 'reject'
  readonly file: PortalRow
}

function Shown({ file, onDecide }: { file: PortalFile; onDecide: (deciding: Deciding) => void }) {
  return (
    <>
      <PageHead title={visibleName(file.fileName)} above={<BackLink />} />
      <StandNote file={file} />
      {file.dateWarning && <DateNote warning={file.dateWarning} />}
      {file.mayDecide && <DecisionButtons file={file} onDecide={onDecide} />}
      <FileSummary file={file} />
      {file.pool.length > 0 && <PoolPanel pool={file.pool} />}
      {file.payments && <PaymentsOf payments={file.payments} />}
    </>
  )
}

function DecisionButtons({ file, onDecide }: { file: PortalFile; onDecide: (deciding: Deciding) => void }) {
  const { t } = useTranslation('batch-portal')
  const Icon = file.signatureRequired ? PenLine : CircleCheck
  return (
    <div className={classes.decide}>
      <Button
        size="md"
        leftSection={<Icon size={18} aria-hidden="true" />}
        onClick={() => onDecide({ decision: 'approve', file })}
      >
        {t(file.signatureRequired ? 'file.sign' : 'file.approve')}
      </Button>
      <Button
        size="md"
        variant="default"
        leftSection={<CircleX size={18} aria-hidden="true" />}
        onClick={() => onDecide({ decision: 'reject', file })}
      >
        {t('file.reject')}
      </Button>
    </div>
  )
}
