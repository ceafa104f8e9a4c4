import { Link2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import classes from '../../../shared/frame/login.module.css'
import { LoginFrame } from '../../../shared/frame/login-frame.tsx'
import { setCulture } from '../../api/actions.ts'
import { LoginLogo } from '../../frame/customer-logo.tsx'
import { OrganizationLink } from '../../frame/organization-link.tsx'
import own from './portal-frame.module.css'

/** For whoever came without a link that holds: it does not say what is wrong with it. */
export function LinkRequiredPage() {
  const { t } = useTranslation('batch-portal')
  return (
    <LoginFrame
      title={t('link.title')}
      logo={<LoginLogo className={classes.logo!} />}
      onLanguage={(language) => void setCulture(language)}
    >
      <p className={own.hint}>
        <Link2 size={18} aria-hidden="true" />
        {t('link.text')}
      </p>
      <p>{t('link.whom')}</p>
      <OrganizationLink returnUrl="/approvals" />
    </LoginFrame>
  )
}
