import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Fingerprint, LogIn } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { hasPasskeys } from '../../shared/authenticator/browser-passkeys.ts'
import classes from '../../shared/frame/login.module.css'
import { LoginFrame } from '../../shared/frame/login-frame.tsx'
import { ProviderProblem } from '../../shared/frame/provider-problem.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { waysQuery } from '../api/session.ts'
import type { SignInWays } from '../api/types.ts'
import { CodeField } from './code-field.tsx'
import { type SignIn, useSignIn } from './use-sign-in.ts'

/** The sign-in page: password and code, or the identity provider. */
export function LoginPage() {
  const { t } = useTranslation('console-login')
  const signing = useSignIn()
  const ways = useQuery(waysQuery)
  const { asksCode, factors, failure } = signing
  const { error } = useSearch({ from: '/login' })
  return (
    <LoginFrame title={t(asksCode ? (factors.includes('app') ? 'codeTitle' : 'factorTitle') : 'title')}>
      {!asksCode && failure === undefined && <ProviderProblem {...(error && { error })} />}
      {failure !== undefined && <ProblemNote error={failure} />}
      {asksCode ? (
        <CodeForm signing={signing} />
      ) : (
        <Queried query={ways} lines={3}>
          {(known) => <Ways ways={known} signing={signing} />}
        </Queried>
      )}
    </LoginFrame>
  )
}

function Ways({ ways: { password, passkey, oidc }, signing }: { ways: SignInWays; signing: SignIn }) {
  const { t } = useTranslation('console-login')
  const withPasskey = passkey && hasPasskeys()
  return (
    <>
      {password && <PasswordForm signing={signing} />}
      {password && (withPasskey || oidc) && <p className={classes.or}>{t('or')}</p>}
      {withPasskey && <PasskeyButton signing={signing} />}
      {oidc && (
        <Button component="a" href={oidc.path} variant={password ? 'default' : 'filled'}>
          {t('oidc', { title: oidc.title })}
        </Button>
      )}
    </>
  )
}

function PasskeyButton({ signing: { asksCode, busy, withPasskey } }: { signing: SignIn }) {
  const { t } = useTranslation('console-passkeys')
  return (
    <Button
      variant="default"
      classNames={{ root: classes.long!, label: classes.longLabel! }}
      disabled={busy}
      leftSection={<Fingerprint size={16} aria-hidden="true" />}
      onClick={() => void withPasskey()}
    >
      {t(asksCode ? 'use' : 'signIn')}
    </Button>
  )
}

function PasswordForm({ signing }: { signing: SignIn }) {
  const { t } = useTranslation(['console-login', 'console'])
  const { typed, type, busy, submit } = signing
  return (
    <form className={classes.form} onSubmit={submit}>
      <TextInput
        type="email"
        label={t('email')}
        autoComplete="username"
        autoFocus
        required
        value={typed.email}
        onChange={({ currentTarget }) => type({ email: currentTarget.value })}
      />
      <PasswordInput
        label={t('password')}
        autoComplete="current-password"
        required
        visibilityToggleButtonProps={{ 'aria-label': t('console:showPassword') }}
        value={typed.password}
        onChange={({ currentTarget }) => type({ password: currentTarget.value })}
      />
      <Button type="submit" loading={busy} leftSection={<LogIn size={16} aria-hidden="true" />}>
        {t('signIn')}
      </Button>
    </form>
  )
}

function CodeForm({ signing }: { signing: SignIn }) {
  const { t } = useTranslation(['console-login', 'console-passkeys'])
  const { typed, type, busy, factors, submit, back } = signing
  const { email } = typed
  const hasApp = factors.includes('app')
  return (
    <form className={classes.form} onSubmit={submit}>
      {factors.includes('passkey') && hasPasskeys() && <PasskeyButton signing={signing} />}
      <p>{hasApp ? t('codeText', { email }) : t('console-passkeys:orRecovery', { email })}</p>
      <CodeField
        value={typed.code}
        {...(hasApp && { description: t('codeHint') })}
        orRecovery
        onChange={(code) => type({ code })}
      />
      <Button type="submit" loading={busy} leftSection={<LogIn size={16} aria-hidden="true" />}>
        {t('signIn')}
      </Button>
      <Button variant="default" disabled={busy} onClick={back}>
        {t('back')}
      </Button>
    </form>
  )
}
