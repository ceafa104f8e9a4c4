import { Button, PasswordInput } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { LogIn, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { localPath } from '../../shared/frame/local-path.ts'
import classes from '../../shared/frame/login.module.css'
import { LoginFrame } from '../../shared/frame/login-frame.tsx'
import { setCulture } from '../api/actions.ts'
import { LoginLogo } from '../frame/customer-logo.tsx'

/** The sign-in page: the key is sent as a form, because the response sets the cookie and redirects. */
export function LoginPage() {
  const { t } = useTranslation('batch-login')
  const { error, ReturnUrl } = useSearch({ from: '/login' })
  return (
    <LoginFrame
      title={t('title')}
      logo={<LoginLogo className={classes.logo!} />}
      onLanguage={(language) => void setCulture(language)}
    >
      {error && (
        <p className={classes.error} role="alert">
          <TriangleAlert size={18} aria-hidden="true" />
          {t(error === 'invalid' ? 'invalid' : 'server')}
        </p>
      )}
      <form method="post" action="/api/auth/login" className={classes.form}>
        <PasswordInput
          name="ApiKey"
          label={t('key')}
          description={t('keyHint')}
          autoComplete="current-password"
          autoFocus
          required
          visibilityToggleButtonProps={{ 'aria-label': t('showKey') }}
        />
        <input type="hidden" name="ReturnUrl" value={localPath(ReturnUrl)} />
        <Button type="submit" leftSection={<LogIn size={16} aria-hidden="true" />}>
          {t('signIn')}
        </Button>
      </form>
    </LoginFrame>
  )
}
