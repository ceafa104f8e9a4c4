import { Button } from '@mantine/core'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../shared/parts/panel.tsx'
import { SignFailure } from '../../shared/signing/sign-failure.tsx'
import { useAttempt } from '../../shared/signing/use-attempt.ts'
import { type Access, approve } from '../api/participant.ts'
import type { ParticipantAction } from '../api/types.ts'
import { CodeFields } from './code-fields.tsx'
import classes from './participant.module.css'

export interface ApprovePanelProps {
  data: ParticipantAction
  access: Access
  onApproved: () => void
}

/** Approves, with a code where one is required. */
export function ApprovePanel({ data, access, onApproved }: ApprovePanelProps) {
  const { t } = useTranslation('documents-participant')
  const [code, setCode] = useState('')
  const { busy, failure, attempt } = useAttempt()
  const { requiresEmailCode } = data.action
  const act = () =>
    attempt(async () => {
      await approve(access, code.trim() || undefined)
      onApproved()
    })
  return (
    <Panel title={t('approve')}>
      {requiresEmailCode && (
        <>
          <p className={classes.quiet}>{t('code.confirms')}</p>
          <CodeFields access={access} code={code} onCode={setCode} />
        </>
      )}
      {failure !== undefined && <SignFailure error={failure} />}
      <Button
        loading={busy}
        disabled={requiresEmailCode && code.trim() === ''}
        leftSection={<Check size={16} aria-hidden="true" />}
        onClick={() => void act()}
      >
        {t('approve')}
      </Button>
    </Panel>
  )
}
