import { useTranslation } from 'react-i18next'
import { useLanguage } from '../i18n/use-language.ts'
import classes from './parts.module.css'

/** What only a machine said, in English: readers of another language open it, and know what it is. */
export function TechnicalDetail({ children }: { children: string }) {
  const { t } = useTranslation()
  const { language } = useLanguage()
  if (language === 'en-US') return <span>{children}</span>
  return (
    <details className={classes.technical}>
      <summary>{t('problem.technical')}</summary>
      <span lang="en">{children}</span>
    </details>
  )
}
