import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { LogIn, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import classes from '../../shared/frame/login.module.css'
import { LoginFrame } from '../../shared/frame/login-frame.tsx'
import { setCulture } from '../api/actions.ts'
import { LoginLogo } from '../frame/customer-logo.tsx'

/** For somebody whom the identity provider knows, and who has no role here. */
export function AccessDeniedPage() {
  const { t } = useTranslation('batch-login')
  return (
    <LoginFrame
      title={t('denied.title')}
      logo={<LoginLogo className={classes.logo!} />}
      onLanguage={(language) => void setCulture(language)}
    >
      <p className={classes.error} role="alert">
        <TriangleAlert size={18} aria-hidden="true" />
        {t('denied.text')}
      </p>
      <p>{t('denied.whom')}</p>
      <Button component={Link} to="/login" leftSection={<LogIn size={16} aria-hidden="true" />}>
        {t('denied.again')}
      </Button>
    </LoginFrame>
  )
}
