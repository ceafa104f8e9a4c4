import { Link } from '@tanstack/react-router'
import { ShieldAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { PageState } from '../../shared/feedback/page-state.tsx'

/** Shown in place of a page that the visitor's role does not allow. */
export function NotAllowed() {
  const { t } = useTranslation('documents')
  return (
    <PageState
      icon={ShieldAlert}
      title={t('notAllowed.title')}
      action={<Link to="/organization">{t('notAllowed.rights')}</Link>}
    >
      {t('notAllowed.text')}
    </PageState>
  )
}
