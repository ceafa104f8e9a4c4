import { Button, PasswordInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { LogIn, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { localPath } from '../../shared/frame/local-path.ts'
import classes from '../../shared/frame/login.module.css'
import { LoginFrame } from '../../shared/frame/login-frame.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { setCulture } from '../api/actions.ts'
import { waysQuery } from '../api/queries.ts'
import { LoginLogo } from '../frame/customer-logo.tsx'
import { OrganizationLink } from '../frame/organization-link.tsx'

/** The sign-in page: with the key, or at the identity provider where the service has one. */
export function LoginPage() {
  const { t } = useTranslation('batch-login')
  const ways = useQuery(waysQuery)
  const { error, ReturnUrl } = useSearch({ from: '/login' })
  const returnUrl = localPath(ReturnUrl)
  return (
    <LoginFrame
      title={t('title')}
      logo={<LoginLogo className={classes.logo!} />}
      onLanguage={(language) => void setCulture(language)}
    >
      <Queried query={ways} lines={3}>
        {({ identityProvider }) => (
          <>
            {error && <Problem error={error} atProvider={identityProvider} />}
            {identityProvider ? <OrganizationLink returnUrl={returnUrl} /> : <KeyForm returnUrl={returnUrl} />}
          </>
        )}
      </Queried>
    </LoginFrame>
  )
}

function Problem({ error, atProvider }: { error: string; atProvider: boolean }) {
  const { t } = useTranslation('batch-login')
  const [refused, away] = atProvider ? (['refused', 'unavailable'] as const) : (['invalid', 'server'] as const)
  return (
    <p className={classes.error} role="alert">
      <TriangleAlert size={18} aria-hidden="true" />
      {t(error === 'invalid' ? refused : away)}
    </p>
  )
}

/** The key is sent as a form, because the response sets the cookie and redirects. */
function KeyForm({ returnUrl }: { returnUrl: string }) {
  const { t } = useTranslation('batch-login')
  return (
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
      <input type="hidden" name="ReturnUrl" value={returnUrl} />
      <Button type="submit" leftSection={<LogIn size={16} aria-hidden="true" />}>
        {t('signIn')}
      </Button>
    </form>
  )
}
