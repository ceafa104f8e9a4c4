import { Button, Textarea, TextInput } from '@mantine/core'
import { CircleCheck, CircleX } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { refusalCode } from '../../../shared/api/request.ts'
import login from '../../../shared/frame/login.module.css'
import { LoginFrame } from '../../../shared/frame/login-frame.tsx'
import { ConfirmDialog } from '../../../shared/parts/confirm-dialog.tsx'
import { ProblemNote } from '../../../shared/parts/problem-note.tsx'
import { useAttempt } from '../../../shared/signing/use-attempt.ts'
import { setCulture } from '../../api/actions.ts'
import { LoginLogo } from '../../frame/customer-logo.tsx'
import { OrganizationLink } from '../../frame/organization-link.tsx'
import { decideAs } from '../api/portal-calls.ts'
import type { StatedDecision } from '../api/portal-types.ts'
import { MAX_REASON_LENGTH } from '../approve/reason.ts'
import classes from './file.module.css'

/** For somebody without a session: nothing of the file is shown, and the address they state is checked by the service. */
export function StatedDecisionPage({ jobId }: { jobId: string }) {
  const { t } = useTranslation('batch-portal')
  const [said, setSaid] = useState<StatedDecision>()
  return (
    <LoginFrame
      title={t('stated.title')}
      logo={<LoginLogo className={login.logo!} />}
      onLanguage={(language) => void setCulture(language)}
    >
      <p className={classes.quiet}>
        {t('stated.file')} <code>{jobId}</code>
      </p>
      {said ? <Recorded said={said} /> : <StatedForm jobId={jobId} onSaid={setSaid} />}
    </LoginFrame>
  )
}

function Recorded({ said }: { said: StatedDecision }) {
  const { t } = useTranslation('batch-portal')
  const isRejected = 'terminated' in said
  const Icon = isRejected ? CircleX : CircleCheck
  return (
    <p className={classes.stand} data-tone={isRejected ? 'bad' : 'good'} role="status">
      <Icon size={18} aria-hidden="true" />
      {isRejected ? t('stated.rejected') : t(said.released ? 'stated.approvedReleased' : 'stated.approved')}
    </p>
  )
}

/** Decisions that only the portal takes: with a code, or with a signature. */
const portalOnly = ['approval.second-factor-required', 'approval.signature-required']

function StatedForm({ jobId, onSaid }: { jobId: string; onSaid: (said: StatedDecision) => void }) {
  const { t } = useTranslation('batch-portal')
  const [email, setEmail] = useState('')
  const [reason, setReason] = useState('')
  const [isRejecting, setIsRejecting] = useState(false)
  const { busy, failure, attempt } = useAttempt()
  const given = reason.trim() || undefined
  const reject = async () => onSaid(await decideAs(jobId, { email, decision: 'rejected', reason: given }))

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    if ((submitter as HTMLButtonElement | null)?.value === 'reject') return setIsRejecting(true)
    void attempt(async () => onSaid(await decideAs(jobId, { email, decision: 'approved', reason: given })))
  }

  return (
    <form className={login.form} onSubmit={submit}>
      <p>{t('stated.text')}</p>
      <OrganizationLink returnUrl={`/approve/${encodeURIComponent(jobId)}`} />
      <TextInput
        label={t('stated.email')}
        type="email"
        autoComplete="email"
        required
        value={email}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      <Textarea
        label={t('reason')}
        maxLength={MAX_REASON_LENGTH}
        rows={2}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      {failure !== undefined && <Failure error={failure} />}
      <div className={classes.buttons}>
        <Button type="submit" value="approve" loading={busy} leftSection={<CircleCheck size={16} aria-hidden="true" />}>
          {t('stated.approve')}
        </Button>
        <Button
          type="submit"
          value="reject"
          variant="default"
          disabled={busy}
          leftSection={<CircleX size={16} aria-hidden="true" />}
        >
          {t('stated.reject')}
        </Button>
      </div>
      {isRejecting && (
        <ConfirmDialog
          title={t('reject.title')}
          confirm={t('reject.confirm')}
          danger
          onConfirm={reject}
          onClose={() => setIsRejecting(false)}
        >
          {t('reject.text')}
        </ConfirmDialog>
      )}
    </form>
  )
}

function Failure({ error }: { error: unknown }) {
  const { t } = useTranslation('batch-portal')
  return portalOnly.includes(refusalCode(error) ?? '') ? (
    <p className={login.error} role="alert">
      {t('stated.portalOnly')}
    </p>
  ) : (
    <ProblemNote error={error} />
  )
}
