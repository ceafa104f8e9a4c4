import type { SuiteView } from '@chancela/demo/contract'
import { useTranslation } from 'react-i18next'
import { Command } from '../../shared/command/command.tsx'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import { BeginButton } from './begin-button.tsx'
import classes from './walk.module.css'

/** The first thing to try, or what it takes to try it. */
export function BeginWalk({ suite }: { suite: SuiteView }) {
  const { t } = useTranslation('home')
  const { language } = useLanguage()
  const { missing } = suite.walk
  if (missing.length === 0) return <BeginButton>{t('walk.begin')}</BeginButton>
  const names = new Intl.ListFormat(language).format(missing)
  return (
    <div className={classes.missing}>
      <p>{t('walk.missing', { names })}</p>
      <Command line="npm start" what={t('what.start')} />
    </div>
  )
}
