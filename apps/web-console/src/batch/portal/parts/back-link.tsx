import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import classes from './parts.module.css'

/** The way back to the lists. */
export function BackLink() {
  const { t } = useTranslation('batch-portal')
  return (
    <Link to="/approvals" className={classes.back!}>
      <ArrowLeft size={16} aria-hidden="true" />
      {t('lists.back')}
    </Link>
  )
}
