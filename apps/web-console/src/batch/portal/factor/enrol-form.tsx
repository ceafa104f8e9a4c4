import { Button } from '@mantine/core'
import { Smartphone } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AuthenticatorSecret } from '../../../shared/authenticator/authenticator-secret.tsx'
import { useNotices } from '../../../shared/parts/notices.tsx'
import { ProblemNote } from '../../../shared/parts/problem-note.tsx'
import { useAttempt } from '../../../shared/signing/use-attempt.ts'
import { beginFactor, confirmFactor } from '../api/portal-calls.ts'
import type { BegunFactor } from '../api/portal-types.ts'
import { CodeForm } from './code-form.tsx'
import classes from './factor.module.css'

/** Enrols an authenticator app: nothing is stored before a code of it was given. The secret stays in this form. */
export function EnrolForm() {
  const { t } = useTranslation('batch-portal')
  const { done } = useNotices()
  const [begun, setBegun] = useState<BegunFactor>()
  const { busy, failure, attempt } = useAttempt()
  if (begun)
    return (
      <div className={classes.form}>
        <AuthenticatorSecret secret={begun.secret} uri={begun.uri} />
        <CodeForm
          lead={t('factor.confirmLead')}
          lockedUntil={null}
          give={(code) => confirmFactor(begun.enrolment, code)}
          onVerified={() => done(t('factor.enrolled'))}
        />
      </div>
    )
  return (
    <div className={classes.form}>
      <p>{t('factor.lead')}</p>
      {failure !== undefined && <ProblemNote error={failure} />}
      <Button
        loading={busy}
        leftSection={<Smartphone size={16} aria-hidden="true" />}
        onClick={() => void attempt(async () => setBegun(await beginFactor()))}
      >
        {t('factor.begin')}
      </Button>
    </div>
  )
}
