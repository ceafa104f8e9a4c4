import { Button } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { refusalCode } from '../../shared/api/request.ts'
import classes from '../../shared/frame/login.module.css'
import { LoginFrame } from '../../shared/frame/login-frame.tsx'
import { LinkButton } from '../../shared/parts/link-button.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { resetPassword } from '../api/session.ts'
import { passwordFault } from './new-password.ts'
import { NewPasswordFields } from './new-password-fields.tsx'

/** Where the link of the mail leads: a new password for the account. */
export function ResetPasswordPage() {
  const { t } = useTranslation('documents-password')
  const { ticket = '' } = useSearch({ from: '/reset-password' })
  const { busy, failure, fault, done, submit } = useReset(ticket)
  if (ticket === '' || refusalCode(failure) === 'PasswordResetInvalidOrExpired') return <Over />
  if (done)
    return (
      <LoginFrame title={t('reset.doneTitle')}>
        <p role="status">{t('reset.done')}</p>
        <LinkButton to="/login" search={{}}>
          {t('signIn')}
        </LinkButton>
      </LoginFrame>
    )
  return (
    <LoginFrame title={t('reset.title')}>
      {failure !== undefined && <ProblemNote error={failure} />}
      {/* The browser's own validation messages may be in another language than the page. */}
      <form className={classes.form} onSubmit={submit} noValidate>
        <NewPasswordFields fault={fault} />
        <Button type="submit" loading={busy} leftSection={<KeyRound size={16} aria-hidden="true" />}>
          {t('reset.save')}
        </Button>
      </form>
    </LoginFrame>
  )
}

function Over() {
  const { t } = useTranslation('documents-password')
  return (
    <LoginFrame title={t('reset.overTitle')}>
      <p>{t('reset.over')}</p>
      <LinkButton to="/forgot-password">{t('reset.again')}</LinkButton>
      <Link to="/login" search={{}}>
        {t('signIn')}
      </Link>
    </LoginFrame>
  )
}

function useReset(ticket: string) {
  const [state, setState] = useState<{
    busy: boolean
    failure?: unknown
    fault?: ReturnType<typeof passwordFault>
    done?: boolean
  }>({ busy: false })

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const typed = new FormData(form)
    const password = String(typed.get('password'))
    const fault = passwordFault(password, String(typed.get('again')))
    setState({ busy: !fault, fault })
    if (fault) return (form.elements.namedItem(fault) as HTMLInputElement).focus()
    try {
      await resetPassword(ticket, password)
      setState({ busy: false, done: true })
    } catch (failure) {
      setState({ busy: false, failure })
    }
  }

  return { ...state, submit }
}
