import { useTranslation } from 'react-i18next'
import classes from './site-footer.module.css'

/** What the page is, and a disclaimer about its data. */
export function SiteFooter() {
  const { t } = useTranslation('home')
  return (
    <footer className={classes.footer}>
      <p>{t('footer')}</p>
    </footer>
  )
}
