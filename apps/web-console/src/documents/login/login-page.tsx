import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { LogIn } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { refusalCode } from '../../shared/api/request.ts'
import { localPath } from '../../shared/frame/local-path.ts'
import classes from '../../shared/frame/login.module.css'
import { LoginFrame } from '../../shared/frame/login-frame.tsx'
import { ProviderProblem } from '../../shared/frame/provider-problem.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { useSigningTexts } from '../../shared/signing/signing-page.ts'
import { meQuery, signIn, waysQuery } from '../api/session.ts'
import { CodeInput } from '../parts/code-input.tsx'

/** The sign-in page for users of organizations. */
export function LoginPage() {
  const { t } = useTranslation('documents-login')
  const { computer } = useSigningTexts()
  const { busy, failure, asksCode, submit } = useSignIn()
  const { error } = useSearch({ from: '/login' })
  return (
    <LoginFrame title={t('title')}>
      {failure === undefined && <ProviderProblem {...(error && { error })} />}
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
        {asksCode && <CodeInput />}
        <Button type="submit" loading={busy} leftSection={<LogIn size={16} aria-hidden="true" />}>
          {t('signIn')}
        </Button>
      </form>
      <Provider />
      <Link to="/forgot-password">{t('forgot')}</Link>
      <Link to="/validate">{t('validate')}</Link>
      <Link to="/test-my-computer">{computer.title}</Link>
    </LoginFrame>
  )
}

/** The way to the identity provider, where there is one; the form does not wait for the answer. */
function Provider() {
  const { t } = useTranslation('documents-login')
  const { oidc } = useQuery(waysQuery).data ?? {}
  if (!oidc) return null
  return (
    <>
      <p className={classes.or}>{t('or')}</p>
      <Button component="a" href={oidc.path} variant="default">
        {t('oidc', { title: oidc.title })}
      </Button>
    </>
  )
}

/** Signs in and redirects to the page the visitor asked for. */
function useSignIn() {
  const queries = useQueryClient()
  const router = useRouter()
  const { ReturnUrl } = useSearch({ from: '/login' })
  const [state, setState] = useState<{ busy: boolean; failure?: unknown; asksCode?: boolean }>({ busy: false })

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    setState(({ asksCode }) => ({ busy: true, ...(asksCode && { asksCode }) }))
    try {
      const code = typed.get('code')
      const me = await signIn(
        String(typed.get('email')),
        String(typed.get('password')),
        code === null ? undefined : String(code),
      )
      queries.clear()
      queries.setQueryData(meQuery.queryKey, me)
      router.history.push(localPath(ReturnUrl))
    } catch (failure) {
      // The account has an authenticator app: the password was right, its code is asked for.
      if (refusalCode(failure) === 'SecondFactorCodeRequired') setState({ busy: false, asksCode: true })
      else setState(({ asksCode }) => ({ busy: false, failure, ...(asksCode && { asksCode }) }))
    }
  }

  return { ...state, submit }
}
