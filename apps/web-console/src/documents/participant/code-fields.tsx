import { Button, TextInput } from '@mantine/core'
import { Mail } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SignFailure } from '../../shared/signing/sign-failure.tsx'
import { useAttempt } from '../../shared/signing/use-attempt.ts'
import { type Access, sendCode } from '../api/participant.ts'
import classes from './participant.module.css'

export interface CodeFieldsProps {
  access: Access
  code: string
  onCode: (code: string) => void
}

/** Sends the participant a code and takes it. */
export function CodeFields({ access, code, onCode }: CodeFieldsProps) {
  const { t } = useTranslation('documents-participant')
  const [sentTo, setSentTo] = useState<string>()
  const { busy, failure, attempt } = useAttempt()
  const send = () => attempt(async () => setSentTo((await sendCode(access)).sentTo))
  return (
    <>
      <Button
        variant={sentTo ? 'subtle' : 'default'}
        loading={busy}
        leftSection={<Mail size={16} aria-hidden="true" />}
        onClick={() => void send()}
      >
        {t(sentTo ? 'code.again' : 'code.send')}
      </Button>
      {failure !== undefined && <SignFailure error={failure} />}
      {sentTo && (
        <>
          <p role="status" className={classes.quiet}>
            {t('code.sent', { to: sentTo })}
          </p>
          <TextInput
            label={t('code.code')}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={20}
            value={code}
            onChange={({ currentTarget }) => onCode(currentTarget.value)}
          />
        </>
      )}
    </>
  )
}
