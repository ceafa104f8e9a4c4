import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LogOut, UserRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { LanguageSwitch } from '../../shared/i18n/language-switch.tsx'
import { Seal } from '../../shared/seal.tsx'
import { ColorSchemeSwitch } from '../../shared/theme/color-scheme-switch.tsx'
import { tellCulture } from '../api/actions.ts'
import { systemQuery, whoQuery } from '../api/queries.ts'
import classes from './shell.module.css'

/** The product's mark and name; leads to the overview. */
export function Brand() {
  const { t } = useTranslation('batch')
  return (
    <Link to="/" className={classes.brand!}>
      <Seal size={32} />
      <span className={classes.brandText}>
        <span translate="no">Chancela</span>
        <span className={classes.product}>{t('product')}</span>
      </span>
    </Link>
  )
}

/** Language and colours; the language is told to the server, which writes spreadsheets in it. */
export function Switches() {
  return (
    <div className={classes.switches}>
      <LanguageSwitch onChange={tellCulture} />
      <ColorSchemeSwitch />
    </div>
  )
}

/** Who is signed in, the way out, and the version that runs. */
export function Visitor() {
  const { t } = useTranslation('batch')
  const { data: who } = useQuery(whoQuery)
  const { data: system } = useQuery(systemQuery)
  return (
    <div className={classes.visitor}>
      {who && (
        <p className={classes.operator}>
          <UserRound size={16} aria-hidden="true" />
          {t('operator', { name: who.operator })}
        </p>
      )}
      {/* A form, not a call: the answer clears the cookie and leads the browser to the login. */}
      <form method="post" action="/api/auth/logout">
        <Button type="submit" variant="default" size="xs" leftSection={<LogOut size={14} aria-hidden="true" />}>
          {t('signOut')}
        </Button>
      </form>
      {system && <p className={classes.version}>{t('version', { version: system.version })}</p>}
    </div>
  )
}
