import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import classes from './providers.module.css'

/** The way back to the list. */
export function BackToProviders() {
  const { t } = useTranslation('hub-providers')
  return (
    <Link to="/providers" className={classes.back!}>
      <ArrowLeft size={16} aria-hidden="true" /> {t('title')}
    </Link>
  )
}
