import { Button, Textarea } from '@mantine/core'
import { CircleX } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../shared/parts/dialog.tsx'
import { ProblemNote } from '../../../shared/parts/problem-note.tsx'
import { useAction } from '../../../shared/parts/use-action.ts'
import { visibleName } from '../../parts/visible-name.ts'
import { rejectOne } from '../api/portal-calls.ts'
import type { Approver, PortalRow } from '../api/portal-types.ts'
import { CodeGate } from '../factor/code-gate.tsx'
import classes from './approve.module.css'
import { MAX_REASON_LENGTH } from './reason.ts'

interface RejectDialogProps {
  approver: Approver
  file: Pick<PortalRow, 'jobId' | 'fileName'>
  onClose: () => void
}

/** Rejects one file; the dialog is the second step of it. */
export function RejectDialog({ approver, file, onClose }: RejectDialogProps) {
  const { t } = useTranslation('batch-portal')
  const [reason, setReason] = useState('')
  const [failure, setFailure] = useState<unknown>()
  const reject = useAction(
    () => rejectOne(file.jobId, reason.trim() || undefined),
    () => t('reject.done'),
  )
  return (
    <Dialog title={t('reject.title')} busy={reject.busy} onClose={onClose}>
      <p className={classes.name}>{visibleName(file.fileName)}</p>
      <p>{t('reject.text')}</p>
      <CodeGate approver={approver}>
        <Textarea
          label={t('reject.reason')}
          description={t('reject.reasonHint')}
          maxLength={MAX_REASON_LENGTH}
          rows={3}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <Button
          color="red"
          loading={reject.busy}
          leftSection={<CircleX size={16} aria-hidden="true" />}
          onClick={() => void reject.attempt(undefined).then(onClose, setFailure)}
        >
          {t('reject.confirm')}
        </Button>
      </CodeGate>
      {failure !== undefined && <ProblemNote error={failure} />}
    </Dialog>
  )
}
