import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useRouter, useSearch } from '@tanstack/react-router'
import { LogIn } from 'lucide-react'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { localPath } from '../../shared/frame/local-path.ts'
import classes from '../../shared/frame/login.module.css'
import { LoginFrame } from '../../shared/frame/login-frame.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { signIn } from '../api/session.ts'
import { CodeField, codeIn } from './code-field.tsx'
import { useEntering } from './use-entering.ts'

/** The sign-in page of people of institutions. */
export function LoginPage() {
  const { t } = useTranslation('credentials-login')
  const router = useRouter()
  const { ReturnUrl } = useSearch({ from: '/login' })
  const { busy, failure, asksCode, enter } = useEntering(() => router.history.push(localPath(ReturnUrl)))

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const [email, password] = [String(typed.get('email')), String(typed.get('password'))]
    void enter(() => signIn({ email, password, ...codeIn(typed) }))
  }

  return (
    <LoginFrame title={t('title')}>
      {failure !== undefined && <ProblemNote error={failure} />}
      <form className={classes.form} onSubmit={submit}>
        <TextInput name="email" type="email" label={t('email')} autoComplete="username" autoFocus required />
        <PasswordInput
          name="password"
          label={t('password')}
          autoComplete="current-password"
          required
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
        />
        {asksCode && <CodeField />}
        <Button type="submit" loading={busy} leftSection={<LogIn size={16} aria-hidden="true" />}>
          {t('signIn')}
        </Button>
      </form>
    </LoginFrame>
  )
}
