import { Button, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Mail } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '../../shared/frame/login.module.css'
import { LoginFrame } from '../../shared/frame/login-frame.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { requestPasswordReset } from '../api/session.ts'

/** Sends the link for a new password; whether the address signs in here is not told. */
export function ForgotPasswordPage() {
  const { t } = useTranslation('documents-password')
  const [state, setState] = useState<{ busy: boolean; failure?: unknown; sent?: boolean }>({ busy: false })

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const email = String(new FormData(event.currentTarget).get('email'))
    setState({ busy: true })
    try {
      await requestPasswordReset(email)
      setState({ busy: false, sent: true })
    } catch (failure) {
      setState({ busy: false, failure })
    }
  }

  return (
    <LoginFrame title={t('forgot.title')}>
      {state.failure !== undefined && <ProblemNote error={state.failure} />}
      {state.sent ? (
        <p role="status">{t('forgot.sent')}</p>
      ) : (
        <form className={classes.form} onSubmit={submit}>
          <p>{t('forgot.lead')}</p>
          <TextInput name="email" type="email" label={t('email')} autoComplete="username" autoFocus required />
          <Button type="submit" loading={state.busy} leftSection={<Mail size={16} aria-hidden="true" />}>
            {t('forgot.send')}
          </Button>
        </form>
      )}
      <Link to="/login" search={{}}>
        {t('signIn')}
      </Link>
    </LoginFrame>
  )
}
