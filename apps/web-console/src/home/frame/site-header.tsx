import { useTranslation } from 'react-i18next'
import { LanguageSwitch } from '../../shared/i18n/language-switch.tsx'
import { Seal } from '../../shared/seal.tsx'
import { ColorSchemeSwitch } from '../../shared/theme/color-scheme-switch.tsx'
import classes from './site-header.module.css'

/** They begin with `./`, because the page of a walk uses them, too: all anchors are on the home page. */
const addresses = {
  look: './#look',
  services: './#services',
  identities: './#identities',
  mail: './mail',
} as const

/** Brand, jumps within the page, language and colours. */
export function SiteHeader() {
  const { t } = useTranslation(['home', 'shared'])
  return (
    <header className={classes.header}>
      <a className={classes.skip} href="#content">
        {t('shared:skipToContent')}
      </a>
      <div className={classes.inner}>
        <a className={classes.brand} href="./">
          <Seal size={34} />
          <span translate="no">Chancela</span>
        </a>
        <nav className={classes.nav} aria-label={t('home:nav.label')}>
          {(Object.keys(addresses) as (keyof typeof addresses)[]).map((place) => (
            <a key={place} href={addresses[place]}>
              {t(`home:nav.${place}`)}
            </a>
          ))}
        </nav>
        <div className={classes.switches}>
          <LanguageSwitch />
          <ColorSchemeSwitch />
        </div>
      </div>
    </header>
  )
}
