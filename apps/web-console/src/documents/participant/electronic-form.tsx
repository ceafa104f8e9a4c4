import { Button } from '@mantine/core'
import { PenLine } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SignFailure } from '../../shared/signing/sign-failure.tsx'
import { useAttempt } from '../../shared/signing/use-attempt.ts'
import { signElectronically } from '../api/participant.ts'
import { CodeFields } from './code-fields.tsx'
import classes from './participant.module.css'
import type { SignFormProps } from './sign-panel.tsx'

/** Signs without a certificate of the participant's own, with a code where one is required. */
export function ElectronicForm({ data, access, mark, onSigned }: SignFormProps) {
  const { t } = useTranslation('documents-participant')
  const [code, setCode] = useState('')
  const { busy, failure, attempt } = useAttempt()
  const { requiresEmailCode, participant } = data.action
  const sign = () =>
    attempt(async () => {
      await signElectronically(access, code.trim() || undefined, mark)
      onSigned()
    })
  return (
    <>
      <p className={classes.quiet}>
        {requiresEmailCode ? t('code.hint', { email: participant.email ?? '' }) : t('code.simpleHint')}
      </p>
      {requiresEmailCode && <CodeFields access={access} code={code} onCode={setCode} />}
      {failure !== undefined && <SignFailure error={failure} />}
      <Button
        loading={busy}
        disabled={requiresEmailCode && code.trim() === ''}
        leftSection={<PenLine size={16} aria-hidden="true" />}
        onClick={() => void sign()}
      >
        {t('code.sign')}
      </Button>
    </>
  )
}
