import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { LogIn } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { localPath } from '../../shared/frame/local-path.ts'
import classes from '../../shared/frame/login.module.css'
import { LoginFrame } from '../../shared/frame/login-frame.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { meQuery, signIn } from '../api/session.ts'

/** The sign-in page for users of organizations. */
export function LoginPage() {
  const { t } = useTranslation('documents-login')
  const { busy, failure, submit } = useSignIn()
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
        <Button type="submit" loading={busy} leftSection={<LogIn size={16} aria-hidden="true" />}>
          {t('signIn')}
        </Button>
      </form>
      <Link to="/validate">{t('validate')}</Link>
    </LoginFrame>
  )
}

/** Signs in and redirects to the page the visitor asked for. */
function useSignIn() {
  const queries = useQueryClient()
  const router = useRouter()
  const { ReturnUrl } = useSearch({ from: '/login' })
  const [state, setState] = useState<{ busy: boolean; failure?: unknown }>({ busy: false })

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    setState({ busy: true })
    try {
      const me = await signIn(String(typed.get('email')), String(typed.get('password')))
      queries.clear()
      queries.setQueryData(meQuery.queryKey, me)
      router.history.push(localPath(ReturnUrl))
    } catch (failure) {
      setState({ busy: false, failure })
    }
  }

  return { ...state, submit }
}
