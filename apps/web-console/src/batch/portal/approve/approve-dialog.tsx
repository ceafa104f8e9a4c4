import { Button, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog, DialogButtons } from '../../../shared/parts/dialog.tsx'
import { ProblemNote } from '../../../shared/parts/problem-note.tsx'
import { useAttempt } from '../../../shared/signing/use-attempt.ts'
import type { Approver, PortalRow } from '../api/portal-types.ts'
import { CodeGate } from '../factor/code-gate.tsx'
import { SignFiles } from '../signing/sign-files.tsx'
import type { Outcome, Progress } from '../signing/signing-way.ts'
import { approvePlain } from './approve-plain.ts'
import { Outcomes } from './outcomes.tsx'
import { MAX_REASON_LENGTH } from './reason.ts'
import { Totals } from './totals.tsx'

interface ApproveDialogProps {
  approver: Approver
  /** As they were when the dialog was opened: what is confirmed is what was restated. */
  files: readonly PortalRow[]
  onClose: () => void
}

/** Approves one file or many: restates what they come to, asks for a code or a signature, and tells of each file. */
export function ApproveDialog({ approver, files, onClose }: ApproveDialogProps) {
  const { t } = useTranslation('batch-portal')
  const queries = useQueryClient()
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>()
  const [progress, setProgress] = useState<Progress>()
  const [reason, setReason] = useState('')
  const { busy, failure, attempt } = useAttempt()
  const signed = files.filter(({ signatureRequired }) => signatureRequired)
  const plain = files.filter(({ signatureRequired }) => !signatureRequired)
  const isOne = files.length === 1
  const given = reason.trim() || undefined

  /** Those without a signature come last: whoever gives up at the password has approved nothing. */
  const approveRest = (before: readonly Outcome[]) =>
    attempt(async () => {
      try {
        setOutcomes([...before, ...(await approvePlain(plain, given))])
      } catch (why) {
        if (before.length === 0) throw why
        setOutcomes([...before, ...plain.map((file) => ({ file, why }))])
      } finally {
        setProgress(undefined)
        void queries.invalidateQueries({ queryKey: ['portal'] })
      }
    })

  if (outcomes)
    return (
      <Dialog title={t('approve.results')} onClose={onClose}>
        <Outcomes outcomes={outcomes} />
        <DialogButtons>
          <Button onClick={onClose}>{t('approve.close')}</Button>
        </DialogButtons>
      </Dialog>
    )
  return (
    <Dialog
      title={isOne ? t('approve.one') : t('approve.many', { count: files.length })}
      busy={busy || progress !== undefined}
      onClose={onClose}
    >
      <Totals files={files} signed={signed.length} />
      <Gate approver={approver} isAsked={plain.length > 0}>
        {isOne && (
          <Textarea
            label={t('reason')}
            maxLength={MAX_REASON_LENGTH}
            rows={2}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
        )}
        {signed.length > 0 ? (
          <SignFiles
            approver={approver}
            files={signed}
            others={plain}
            reason={given}
            progress={progress}
            onProgress={setProgress}
            onSigned={(found) => void approveRest(found)}
          />
        ) : (
          <Button
            loading={busy}
            leftSection={<CircleCheck size={16} aria-hidden="true" />}
            onClick={() => void approveRest([])}
          >
            {isOne ? t('approve.confirmOne') : t('approve.confirmMany', { count: files.length })}
          </Button>
        )}
      </Gate>
      {failure !== undefined && <ProblemNote error={failure} />}
    </Dialog>
  )
}

/** A signature is a second factor itself. */
function Gate({ isAsked, ...gate }: Parameters<typeof CodeGate>[0] & { isAsked: boolean }) {
  return isAsked ? <CodeGate {...gate} /> : gate.children
}
